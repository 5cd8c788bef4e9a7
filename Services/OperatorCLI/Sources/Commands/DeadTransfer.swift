import Broker

/// How far messages have come from one place to another: each leaves its old place only after the broker has confirmed it in
/// the new one, so that an interruption can repeat a message but not lose one.
struct DeadTransfer: Sendable {
  struct Parcel: Sendable {
    var message: BrokerMessage
    var exchange: String
    var routingKey: String
  }

  private(set) var moved = 0
  /// Messages that the broker did not take; they stay where they were.
  private(set) var refused = 0
  private(set) var lastRefusal: BrokerError?

  /// Publishes all at once, and calls `moved` for each that is confirmed.
  mutating func move(
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
