/// Takes messages from a queue by hand, see ``BrokerAdmin/withMessages(queue:_:)``.
public struct BrokerFetch: Sendable {
  let queue: String
  let session: AdminSession

  /// The next messages, oldest first: `count`, or all that are ready if those are fewer.
  public func take(_ count: Int) async throws(BrokerError) -> [BrokerDelivery] {
    try await session.take(count, from: queue)
  }

  /// Removes it from the queue.
  public func acknowledge(_ message: BrokerDelivery) async throws(BrokerError) {
    try await session.acknowledge(message)
  }

  /// Gives it back to the queue now.
  public func requeue(_ message: BrokerDelivery) async throws(BrokerError) {
    try await session.perform { link throws(BrokerError) in try link.reject(tag: message.tag, requeue: true) }.get()
  }
}
