import Broker
import NotificationQueue
import Synchronization

@testable import Gateway

/// Dead-letter queues without a broker.
final class DeadLettersInMemory: DeadLetterDesk {
  struct State {
    var deadLettered: [DeadQueue: [BrokerMessage]] = [:]
    var redriven: [BrokerMessage] = []
    /// Thrown by every call, if there is one.
    var error: BrokerError?
    /// What the broker does not take back.
    var refused: Set<String> = []
    /// Messages that a call comes to before its deadline.
    var reach = Int.max
  }

  private let state = Mutex(State())

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  func ids(in queue: DeadQueue) -> [String?] { state.withLock { $0.deadLettered[queue, default: []].map(\.messageID) } }

  var redriven: [String?] { state.withLock { $0.redriven.map(\.messageID) } }

  func count(_ queue: DeadQueue) throws -> Int {
    try state.withLock { state in
      if let error = state.error { throw error }
      return state.deadLettered[queue, default: []].count
    }
  }

  func oldest(_ limit: Int, after skip: Int, of queue: DeadQueue) throws -> [DeadMessage] {
    state.withLock { $0.deadLettered[queue, default: []].dropFirst(skip).prefix(limit).map(DeadMessage.init) }
  }

  func redrive(_ queue: DeadQueue, _ ids: Set<String>?, until deadline: ContinuousClock.Instant) async throws
    -> DeadTransfer
  {
    let (refused, parcels) = state.withLock { state in
      let meant = state.deadLettered[queue, default: []].prefix(state.reach).filter {
        ids?.contains(DeadMessage($0).id) ?? true
      }
      let parcels = meant.enumerated().map { number, message in
        (
          BrokerDelivery(
            message: message,
            exchange: "",
            routingKey: "",
            redelivered: false,
            deliveryCount: 0,
            tag: UInt64(number),
            generation: 1
          ),
          DeadTransfer.Parcel(message: message, exchange: "", routingKey: queue.origin)
        )
      }
      return (state.refused, parcels)
    }
    var transfer = DeadTransfer()
    try await transfer.move(parcels) { parcel async throws(BrokerError) in
      if refused.contains(DeadMessage(parcel.message).id) { throw BrokerError(.unroutable, "no") }
    } moved: { delivery async throws(BrokerError) in
      state.withLock { state in
        state.redriven.append(delivery.message)
        state.deadLettered[queue]?.removeAll { $0.messageID == delivery.message.messageID }
      }
    }
    transfer.isComplete = state.withLock { $0.reach == .max }
    return transfer
  }

  func discard(_ queue: DeadQueue, _ ids: Set<String>?, until deadline: ContinuousClock.Instant) throws
    -> (count: Int, isComplete: Bool)
  {
    state.withLock { state in
      let deadLettered = state.deadLettered[queue, default: []]
      let near = deadLettered.prefix(state.reach)
      let left = near.filter { !(ids?.contains(DeadMessage($0).id) ?? true) }
      state.deadLettered[queue] = left + deadLettered.dropFirst(near.count)
      return (near.count - left.count, near.count == deadLettered.count)
    }
  }
}
