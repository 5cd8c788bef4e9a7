public import Authentication
public import NotificationModel
public import NotificationQueue
public import ServiceRuntime
public import Settings
public import WallClock

/// What the gateway reads from its environment.
public struct GatewayConfiguration: ServiceConfiguration {
  public var host: String
  public var port: Int
  /// What clients may take of the server.
  public var limits: ConnectionLimits
  /// How long the gateway goes on as before when a shutdown has begun, and says meanwhile that it is not ready.
  public var stopDelay: Duration
  public var parts: PartsConfiguration
  public var ladder: RetryLadder
  public var tokens: TokenVerifierConfiguration
  /// YAML file that adds to the built-in catalogue; empty means none.
  public var catalogueFile: String
  /// Of users who have chosen none.
  public var timezone: Zone
  /// How fast callers may ask, and which web pages may.
  public var edge: EdgeConfiguration
  /// For browsers' subscriptions to pushes.
  public var vapidPublicKey: VAPIDPublicKey
  /// Of push services to which those may lead.
  public var pushHosts: PushServiceHosts
  /// Whether those may be in private networks.
  public var allowsPrivateEndpoints: Bool
  /// By which receipts of pushes are recognised.
  public var receipts: ReceiptKeys
  /// By which links to unsubscribe in mails are recognised.
  public var unsubscribe: UnsubscribeKeys
  /// Who may report mails that came back.
  public var bounces: BounceConfiguration
  public var personal: PersonalConfiguration
  /// Where web pages reach the hub.
  public var hub: HubAddress
  /// Those that the deployment has, for explanations of what routers decide.
  public var providers: PushProviders

  public init(_ settings: Settings) {
    host = settings.string("gateway.host", default: "127.0.0.1", "Address on which the REST API listens.")
    port = settings.integer("gateway.port", default: 8080, in: 1...65_535, "Port of the REST API.")
    limits = Self.limits(settings)
    stopDelay = settings.duration(
      "gateway.stopDelay",
      default: .zero,
      in: .zero ... .seconds(600),
      "How long after SIGTERM the gateway goes on as before, while /health/ready answers 503: give the balancer time "
        + "to send requests elsewhere. Shorter than BELFRY_SERVICE_SHUTDOWN_DEADLINE."
    )
    settings.require(
      "gateway.stopDelay",
      shorterThan: "service.shutdownDeadline",
      "requests in flight would have no time to end."
    )
    edge = EdgeConfiguration(settings)
    vapidPublicKey = Self.vapidPublicKey(settings)
    allowsPrivateEndpoints = Self.allowsPrivateEndpoints(settings)
    personal = PersonalConfiguration(settings)
    hub = settings.value(
      "gateway.hubUrl",
      default: .sameOrigin,
      kind: HubAddress.kind,
      "Where web pages reach the hub, for the bell: an address, or a path on the gateway's own origin."
    )
    parts = PartsConfiguration(settings)
    ladder = RetryLadder(settings)
    tokens = TokenVerifierConfiguration(settings)
    catalogueFile = settings.string(
      "catalogue.file",
      default: "",
      "YAML file of notification types and events that adds to or replaces the built-in ones, or stands alone; it wins over the versions in the database."
    )
    timezone = settings.value(
      "deployment.timezone",
      default: .utc,
      kind: "time zone such as Europe/Berlin",
      "Time zone of users whose profile has none: by its clocks their quiet hours begin and end."
    )
    providers = PushProviders(settings)
    pushHosts = PushServiceHosts(settings)
    receipts = ReceiptKeys(settings)
    unsubscribe = UnsubscribeKeys(settings)
    bounces = BounceConfiguration(settings)
  }

  private static func limits(_ settings: Settings) -> ConnectionLimits {
    ConnectionLimits(
      maximumConnections: settings.integer(
        "gateway.maximumConnections",
        default: 10_000,
        in: 1...1_000_000,
        "Open HTTP connections; further connections wait to be accepted."
      ),
      maximumPerAddress: settings.integer(
        "gateway.maximumConnectionsPerAddress",
        default: 1_000,
        in: 1...1_000_000,
        "Open HTTP connections from one IPv4 address or IPv6 /64 network; further connections are closed. Behind a "
          + "proxy all connections come from the proxy's address: set the value of BELFRY_GATEWAY_MAXIMUM_CONNECTIONS."
      ),
      headerTimeout: settings.duration(
        "gateway.headerTimeout",
        default: .seconds(10),
        in: .seconds(1) ... .seconds(300),
        "How long a new connection may take to the end of its first request's header."
      ),
      bodyTimeout: settings.duration(
        "gateway.bodyTimeout",
        default: .seconds(20),
        in: .seconds(1) ... .seconds(300),
        "How long a request's body may take as a whole, and how long a client may take for each 16 KiB of its answer."
      ),
      idleTimeout: settings.duration(
        "gateway.idleTimeout",
        default: .seconds(75),
        in: .seconds(1) ... .seconds(3_600),
        "How long a connection may be without a request after an answer. A proxy in front should close it sooner."
      )
    )
  }
}
