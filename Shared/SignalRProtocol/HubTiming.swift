/// The clocks of a connection; the defaults are those that stock clients expect.
public struct HubTiming: Sendable, Equatable {
  /// How long a client may take for its handshake.
  public var handshakeTimeout: Duration
  /// After how long without sending anything the server sends a ping.
  public var pingInterval: Duration
  /// After how long a client that has pinged before and now is silent counts as gone.
  public var clientTimeout: Duration

  public init(
    handshakeTimeout: Duration = .seconds(15),
    pingInterval: Duration = .seconds(15),
    clientTimeout: Duration = .seconds(30)
  ) {
    self.handshakeTimeout = handshakeTimeout
    self.pingInterval = pingInterval
    self.clientTimeout = clientTimeout
  }
}
