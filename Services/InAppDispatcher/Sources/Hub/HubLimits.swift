import SignalRProtocol

/// How much one node and one client may take.
public struct HubLimits: Sendable {
  /// Open hub connections of this node.
  public var maximumConnections: Int
  /// Open hub connections of one user on this node.
  public var maximumConnectionsPerUser: Int
  /// Longest inbound hub message in bytes.
  public var maximumMessageSize: Int
  /// Bytes that may wait for a client that does not read; beyond, it is dropped.
  public var maximumPendingBytes: Int
  /// How long a negotiated id waits for its transport.
  public var negotiationTimeout: Duration
  /// How long an HTTP connection may be without a complete request.
  public var requestTimeout: Duration
  /// How long a client may take to answer the close of its WebSocket.
  public var closeTimeout: Duration

  public init(
    maximumConnections: Int = 50_000,
    maximumConnectionsPerUser: Int = 20,
    maximumMessageSize: Int = 32 * 1_024,
    maximumPendingBytes: Int = 1_024 * 1_024,
    negotiationTimeout: Duration = .seconds(30),
    requestTimeout: Duration = .seconds(30),
    closeTimeout: Duration = .seconds(2)
  ) {
    self.maximumConnections = maximumConnections
    self.maximumConnectionsPerUser = maximumConnectionsPerUser
    self.maximumMessageSize = maximumMessageSize
    self.maximumPendingBytes = maximumPendingBytes
    self.negotiationTimeout = negotiationTimeout
    self.requestTimeout = requestTimeout
    self.closeTimeout = closeTimeout
  }

  /// A frame may end a little after its message.
  var maximumFrameSize: Int { maximumMessageSize + 1_024 }
}
