/// What clients may take of an HTTP server before it knows anything of them.
public struct ConnectionLimits: Sendable {
  /// Open connections; more wait to be accepted.
  public var maximumConnections: Int
  /// Open connections from one IPv4 address or IPv6 /64 network; more are closed at once.
  public var maximumPerAddress: Int
  /// From the connection to the end of the first request's header.
  public var headerTimeout: Duration
  /// From the end of a request's header to the end of its body, however it comes; and while an answer waits for the client, how
  /// long each 16 KiB of it may take: one that takes that much may go on.
  public var bodyTimeout: Duration
  /// From an answer to the end of the next request's header. A proxy that keeps connections open should close them sooner.
  public var idleTimeout: Duration

  public init(
    maximumConnections: Int,
    maximumPerAddress: Int,
    headerTimeout: Duration,
    bodyTimeout: Duration,
    idleTimeout: Duration
  ) {
    self.maximumConnections = maximumConnections
    self.maximumPerAddress = maximumPerAddress
    self.headerTimeout = headerTimeout
    self.bodyTimeout = bodyTimeout
    self.idleTimeout = idleTimeout
  }

  /// For probes, which ask one short question and all come from one place.
  static let probes = ConnectionLimits(
    maximumConnections: 64,
    maximumPerAddress: 64,
    headerTimeout: .seconds(5),
    bodyTimeout: .seconds(5),
    idleTimeout: .seconds(15)
  )
}
