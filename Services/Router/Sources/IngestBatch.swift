import Broker

/// Messages taken at once, and which of them are still to be done: a repeated attempt leaves out what is acknowledged.
struct IngestBatch {
  let deliveries: [BrokerDelivery]
  private(set) var pending: [Int]

  init(deliveries: [BrokerDelivery]) {
    self.deliveries = deliveries
    pending = Array(deliveries.indices)
  }

  mutating func finish(_ indices: [Int]) {
    let finished = Set(indices)
    pending.removeAll { finished.contains($0) }
  }
}
