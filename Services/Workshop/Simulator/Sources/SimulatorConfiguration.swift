public import Settings

/// Where the simulator listens, what it keeps, and which credentials it accepts.
public struct SimulatorConfiguration: ServiceConfiguration {
  public var dataDirectory: String
  public var host: String
  /// By which clients on other machines reach it, besides `localhost`.
  public var names: [String]
  public var fcmPort: Int
  public var apnsPort: Int
  public var apnsSandboxPort: Int
  /// Of a connection to APNs whose pushes are accepted.
  public var apnsStreams: Int
  public var webPushPort: Int
  public var webPushSocketPort: Int
  public var smtpPort: Int
  public var controlPort: Int
  public var project: String
  public var accessTokenLifetime: Duration
  public var smtpUser: String
  public var smtpPassword: String
  public var requiresSMTPAuthentication: Bool
  public var keptPushes: Int
  public var keptMails: Int
  /// Bytes of pushes that are kept at most. The same number of bytes is kept of mails.
  public var keptBytes: Int
  /// Of `belfry-dev run`; empty where it is not behind this simulator.
  public var developmentSocket: String
  /// With the built site; empty: none.
  public var docsDirectory: String
  /// From which the page may fetch, the gateway's first.
  public var pageOrigins: [String]

  /// Reads `simulator.*`.
  public init(_ settings: Settings) {
    dataDirectory = settings.string(
      "simulator.dataDir",
      default: nil,
      "Folder for the certificate authority, keys, service-account.json and ports.json; made if missing."
    )
    host = settings.string("simulator.host", default: "127.0.0.1", "Address of all servers.")
    names = settings.list(
      "simulator.names",
      default: [],
      "Host names of the certificate besides localhost; the first one is in service-account.json, as the host of the token endpoint."
    )
    fcmPort = Self.port(settings, "simulator.fcmPort", "FCM and OAuth over HTTPS")
    apnsPort = Self.port(settings, "simulator.apnsPort", "APNs' environment production over HTTPS")
    apnsSandboxPort = Self.port(settings, "simulator.apnsSandboxPort", "APNs' environment sandbox over HTTPS")
    apnsStreams = settings.integer(
      "simulator.apnsStreams",
      default: 1_000,
      in: 1...10_000,
      "Concurrent pushes that a connection to APNs takes once one was accepted; at first, and after a refusal, it takes one."
    )
    webPushPort = Self.port(settings, "simulator.webPushPort", "a browser's push service over HTTPS")
    webPushSocketPort = Self.port(
      settings,
      "simulator.webPushSocketPort",
      "the push service's WebSocket, by which Firefox subscribes and gets its pushes"
    )
    smtpPort = Self.port(settings, "simulator.smtpPort", "the SMTP sink")
    controlPort = Self.port(settings, "simulator.controlPort", "the control API over plain HTTP")
    project = settings.string("simulator.project", default: "belfry-local", "Id of the simulated Firebase project.")
    accessTokenLifetime = settings.duration(
      "simulator.accessTokenLifetime",
      default: .seconds(3_599),
      in: .seconds(1) ... .seconds(86_400),
      "How long an access token is good for."
    )
    smtpUser = settings.string("simulator.smtpUser", default: "belfry", "User name that SMTP AUTH accepts.")
    smtpPassword = settings.string(
      "simulator.smtpPassword",
      default: "belfry",
      "Password that SMTP AUTH accepts.",
      isSecret: true
    )
    requiresSMTPAuthentication = settings.boolean(
      "simulator.smtpRequireAuth",
      default: false,
      "Refuses mail from clients that did not authenticate."
    )
    keptPushes = settings.integer(
      "simulator.keepPushes",
      default: 200_000,
      in: 1...10_000_000,
      "Accepted pushes kept for the control API; older ones are dropped and counted."
    )
    keptMails = settings.integer(
      "simulator.keepMails",
      default: 20_000,
      in: 1...1_000_000,
      "Accepted mails kept for the control API; older ones are dropped and counted."
    )
    keptBytes = settings.integer(
      "simulator.keepBytes",
      default: 512 * 1_024 * 1_024,
      in: 1_048_576...1_099_511_627_776,
      "Bytes of pushes that are kept at most. The same number of bytes is kept of mails."
    )
    developmentSocket = settings.string(
      "simulator.developmentSocket",
      default: "",
      "Unix socket on which `belfry-dev run` tells the page what is going on, and does what it asks; empty: none."
    )
    docsDirectory = settings.string(
      "simulator.docsDirectory",
      default: "",
      "Folder of the built documentation, shown at /docs/; empty: none."
    )
    pageOrigins = settings.list(
      "simulator.pageOrigins",
      default: [],
      "Origins from which the page may fetch besides its own, the gateway's first, then the hub's with http and with ws."
    )
  }

  private static func port(_ settings: Settings, _ key: String, _ what: String) -> Int {
    settings.integer(key, default: 0, in: 0...65_535, "Port of \(what); 0 takes a free one, see ports.json.")
  }
}
