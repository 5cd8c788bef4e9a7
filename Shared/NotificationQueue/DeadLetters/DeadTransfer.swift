public import Broker

/// How far messages have come from one place to another: each leaves its old place only after the broker has confirmed it in
/// the new one, so that an interruption can repeat a message but not lose one.
public struct DeadTransfer: Sendable {
  public struct Parcel: Sendable {
    public var message: BrokerMessage
    public var exchange: String
    public var routingKey: String

    public init(message: BrokerMessage, exchange: String, routingKey: String) {
      self.message = message
      self.exchange = exchange
      self.routingKey = routingKey
    }
  }

  public private(set) var moved = 0
  /// Messages that the broker did not take; they stay where they were.
  public private(set) var refused = 0
  public private(set) var lastRefusal: BrokerError?

  /// Whether all that was there was looked at.
  public var isComplete = true

  public init() {}

  /// Publishes all at once, and calls `moved` for each that is confirmed.
  public mutating func move(
    _ parcels: [(BrokerDelivery, Parcel)],
    publish: @escaping @Sendable (Parcel) async throws(BrokerError) -> Void,
    moved: (BrokerDelivery) async throws(BrokerError) -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: (BrokerDelivery, BrokerError?).self) { group in
      for (delivery, parcel) in parcels {
        group.addTask {
          do throws(BrokerError) {
            try await publish(parcel)
            return (delivery, nil)
          } catch {
            return (delivery, error)
          }
        }
      }
      for try await (delivery, error) in group {
        if let error {
          refused += 1
          lastRefusal = error
        } else {
          try await moved(delivery)
          self.moved += 1
        }
      }
    }
  }
}
