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

/// A moment on whatever monotonic clock the caller has, in nanoseconds.
public struct HubInstant: Sendable, Comparable {
  public let nanoseconds: UInt64

  public init(nanoseconds: UInt64) {
    self.nanoseconds = nanoseconds
  }

  public static func < (left: HubInstant, right: HubInstant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The time from an earlier moment; zero from a later one.
  func elapsed(since earlier: HubInstant) -> Duration {
    self < earlier ? .zero : .nanoseconds(Int64(clamping: nanoseconds - earlier.nanoseconds))
  }
}
