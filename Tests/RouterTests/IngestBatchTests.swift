import Foundation
import NotificationModel
import Testing

@testable import Broker
@testable import Router

@Suite struct IngestBatchTests {
  private func batch(_ count: Int) -> IngestBatch {
    IngestBatch(
      deliveries: (0..<count).map { index in
        BrokerDelivery(
          message: BrokerMessage(body: []),
          exchange: "belfry.ingest",
          routingKey: "request",
          redelivered: false,
          deliveryCount: 0,
          tag: UInt64(index),
          generation: 1
        )
      }
    )
  }

  @Test func `at first everything is to be done`() {
    #expect(batch(3).pending == [0, 1, 2])
    #expect(batch(0).pending.isEmpty)
  }

  @Test func `what is finished is not done again`() {
    var batch = batch(5)
    batch.finish([1, 3])
    #expect(batch.pending == [0, 2, 4])
    batch.finish([3, 0, 4])
    #expect(batch.pending == [2])
    batch.finish([])
    #expect(batch.pending == [2])
    #expect(batch.deliveries.count == 5)
  }

  @Test func `a message without an id gets the same one at each attempt`() {
    var batch = batch(2)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let id = batch.stamp(of: 0, now: now)
    #expect(batch.stamp(of: 0, now: now + 5) == id)
    #expect(batch.stamp(of: 1, now: now) != id)
    #expect(id.time == now)
  }
}
