/// Messages taken from a queue by hand, see ``BrokerAdmin/withMessages(queue:limit:_:)``.
public struct BrokerFetch: Sendable {
  public let messages: [BrokerDelivery]
  let session: AdminSession

  /// Removes it from the queue.
  public func acknowledge(_ message: BrokerDelivery) async throws(BrokerError) {
    let acknowledgement = Acknowledgement(tag: message.tag, multiple: false)
    try await session.perform { link throws(BrokerError) in try link.acknowledge(acknowledgement) }.get()
  }

  /// Gives it back to the queue now.
  public func requeue(_ message: BrokerDelivery) async throws(BrokerError) {
    try await session.perform { link throws(BrokerError) in try link.reject(tag: message.tag, requeue: true) }.get()
  }
}
