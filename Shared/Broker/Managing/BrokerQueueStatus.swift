/// A look at a queue.
public struct BrokerQueueStatus: Sendable, Equatable {
  /// Messages ready to be delivered; those handed out and unacknowledged don't count.
  public let ready: Int
  public let consumers: Int
}
