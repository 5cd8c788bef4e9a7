public import SignalRProtocol

/// Where and how the hub listens.
public struct HubServerConfiguration: Sendable {
  public var host: String
  /// 0: any free port.
  public var port: Int
  /// Origins of the web pages that may use the hub, e.g. `https://app.example`.
  public var allowedOrigins: [String]
  public var limits: HubLimits
  public var timing: HubTiming
  /// Event loops, 1 to 64.
  public var threads: Int
  /// Over how long a shutdown spreads its goodbyes, so that clients don't reconnect all at once.
  public var drainPeriod: Duration
  /// How often clocks are checked.
  public var tickInterval: Duration

  public init(
    host: String = "127.0.0.1",
    port: Int = 0,
    allowedOrigins: [String] = [],
    limits: HubLimits = HubLimits(),
    timing: HubTiming = HubTiming(),
    threads: Int = 2,
    drainPeriod: Duration = .seconds(3),
    tickInterval: Duration = .seconds(1)
  ) {
    self.host = host
    self.port = port
    self.allowedOrigins = allowedOrigins
    self.limits = limits
    self.timing = timing
    self.threads = threads
    self.drainPeriod = drainPeriod
    self.tickInterval = tickInterval
  }
}
