public import ServiceRuntime
public import SignalRProtocol

/// Where and how the hub listens.
public struct HubServerConfiguration: Sendable {
  public var host = "127.0.0.1"
  /// 0: any free port.
  public var port = 0
  /// Of the web pages that may use the hub; those of its own host always may.
  public var allowedOrigins = AllowedOrigins.none
  public var placement = HubPlacement()
  /// In which a proxy in front, which is trusted, says by which name it leads requests to this node.
  public var nodeHeader = HeaderName.none
  public var limits = HubLimits()
  public var timing = HubTiming()
  /// Whether a connection ends with the token that opened it.
  public var closesOnTokenExpiry = true
  /// Event loops, 1 to 64.
  public var threads = 2
  /// How long the hub goes on as before when a shutdown has begun, and says meanwhile that it is not ready.
  public var stopDelay: Duration = .zero
  /// Over how long a shutdown spreads its goodbyes, so that clients don't reconnect all at once.
  public var drainPeriod: Duration = .seconds(3)
  /// How often clocks are checked.
  public var tickInterval: Duration = .seconds(1)

  public init() {}
}
