import Broker
import Foundation
import NotificationModel

/// Messages taken at once, and which of them are still to be done: a repeated attempt leaves out what is acknowledged.
struct IngestBatch {
  let deliveries: [BrokerDelivery]
  private(set) var pending: [Int]
  /// Ids given to messages that came without one: the same at each attempt.
  private var stamps: [Int: RequestID] = [:]

  init(deliveries: [BrokerDelivery]) {
    self.deliveries = deliveries
    pending = Array(deliveries.indices)
  }

  /// The id under which a message without one is put back.
  mutating func stamp(of index: Int, now: Date) -> RequestID {
    if let id = stamps[index] { return id }
    let id = RequestID(now: now)
    stamps[index] = id
    return id
  }

  mutating func finish(_ indices: [Int]) {
    let finished = Set(indices)
    pending.removeAll { finished.contains($0) }
  }
}
