/// A publish that waits for a connection, for room among the unconfirmed, or for the socket.
struct PendingPublish {
  let message: BrokerMessage
  let exchange: String
  let routingKey: String
  let mandatory: Bool
  var waiter: PublishWaiter
}

/// The caller of a publish.
struct PublishWaiter {
  let id: UInt64
  let exchange: String
  /// Set when the connection's queue takes it up.
  var deadline = ContinuousClock.now
  /// What to report when the confirm comes: the message was returned before it.
  var returned: BrokerError?
  /// Nil once the caller has its answer, because it was cancelled or waited too long.
  var continuation: CheckedContinuation<BrokerError?, Never>?

  mutating func answer(_ error: BrokerError?) {
    continuation?.resume(returning: error)
    continuation = nil
  }
}
