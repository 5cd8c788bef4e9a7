/// How much one node and one client may take.
public struct HubLimits: Sendable {
  /// Open hub connections of this node.
  public var maximumConnections = 50_000
  /// Open hub connections of one user on this node.
  public var maximumConnectionsPerUser = 20
  /// Open hub connections from one IPv4 address or IPv6 /64 network on this node.
  public var maximumConnectionsPerAddress = 1_000
  /// Whether a proxy in front says in `X-Forwarded-For` where a client comes from.
  public var trustsForwardedFor = false
  /// Longest inbound hub message in bytes.
  public var maximumMessageSize = 32 * 1_024
  /// Frames or POSTs of one client in a second.
  public var maximumMessagesPerSecond = 100
  /// Bytes that may wait for a client that does not read; beyond, it is dropped.
  public var maximumPendingBytes = 1_024 * 1_024
  /// How long a client may read nothing although something waits for it.
  public var sendTimeout: Duration = .seconds(10)
  /// How long a handshake waits for the database to answer the last `seq` of the user's inbox.
  public var seqTimeout: Duration = .seconds(2)
  /// How long a negotiated id waits for its transport.
  public var negotiationTimeout: Duration = .seconds(30)
  /// How long an HTTP connection may be without a complete request.
  public var requestTimeout: Duration = .seconds(30)
  /// How long a client may take to answer the close of its WebSocket.
  public var closeTimeout: Duration = .seconds(2)
  /// How long a GET of long polling waits for something to send.
  public var pollTimeout: Duration = .seconds(90)
  /// How long a long-polling client may be without a GET.
  public var pollPatience: Duration = .seconds(15)
  /// How long a stateful connection waits for its client's next WebSocket.
  public var reconnectTimeout: Duration = .seconds(30)

  public init() {}

  /// A frame may end a little after its message.
  var maximumFrameSize: Int { maximumMessageSize + 1_024 }

  /// A POST may bring many messages: those that a client gathered while its last POST was in flight.
  var maximumBodySize: Int { 8 * maximumMessageSize }

  /// Ids that may wait for their transports or be open, on this node.
  var maximumIDs: Int { 2 * maximumConnections }

  /// Ids of one user that may wait for their transports, on this node.
  var maximumNegotiationsPerUser: Int { 4 * maximumConnectionsPerUser }

  /// What a user may have begun to send and not ended, in bytes: whole bodies of four clients. Counted by what the requests
  /// announce; of a body in chunks by what has come.
  var maximumIncomingSize: Int { 4 * maximumBodySize }

  /// As what a body in chunks counts at least, in bytes, and how much is counted at a time as it grows.
  var leastChunkedSize: Int { maximumMessageSize }

  /// What a user may send before the transports come for which it is kept, in bytes.
  var maximumEarlySize: Int { 2 * maximumMessageSize }
}
