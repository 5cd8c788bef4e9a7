import Foundation
import NotificationModel
import Testing

@testable import Broker
@testable import Postgres
@testable import Router

@Suite struct IngestBatchTests {
  private struct Poison: Error {}

  private func batch(_ count: Int, limit: Int = 100) -> IngestBatch {
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
      },
      limit: limit
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

  @Test func `a message without an id gets the same one at each attempt, and in each part`() {
    var batch = batch(2)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let ids = [batch.stamp(of: 0, now: now), batch.stamp(of: 1, now: now)]
    #expect(ids[0] != ids[1])
    #expect(ids[0].time == now)
    #expect(batch.stamp(of: 0, now: now + 5) == ids[0])
    var parts = batch.parts
    #expect(parts.map(\.pending) == [[0], [1]])
    #expect([parts[0].stamp(of: 0, now: now + 9), parts[1].stamp(of: 1, now: now + 9)] == ids)
  }

  @Test func `a part is half of the messages, then half of the recipients`() {
    var batch = batch(5, limit: 3)
    batch.finish([0])
    #expect(batch.parts.map(\.pending) == [[1, 2], [3, 4]])
    #expect(batch.parts.map(\.limit) == [3, 3])
    batch.finish([1, 2, 3])
    #expect(batch.parts.map(\.pending) == [[4]])
    #expect(batch.parts.map(\.limit) == [1])
  }

  @Test func `what is done about a failure depends on whose it is`() {
    var many = batch(2)
    var one = batch(1)
    for error in [CancellationError(), PostgresError(.cancelled), BrokerError(.cancelled, "")] as [any Error] {
      #expect(many.remedy(after: error) == .stop)
    }
    for error in [
      PostgresError(.connectionLost), BrokerError(.unroutable, ""), PostgresError(.server(sqlState: "42P01")),
    ] as [any Error] {
      #expect(many.remedy(after: error) == .wait)
      #expect(one.remedy(after: error) == .wait)
    }
    for error in [Poison(), PostgresError(.server(sqlState: "22021"))] as [any Error] {
      #expect(many.remedy(after: error) == .split)
      #expect(one.remedy(after: error) == .deadLetter)
    }
  }

  @Test func `the second timeout asks for less at once, as far as there is less`() {
    var many = batch(2)
    var one = batch(1)
    var least = batch(1, limit: 1)
    #expect([many, one, least].map(\.pending.count) == [2, 1, 1])
    #expect((0..<2).map { _ in many.remedy(after: PostgresError(.timeout)) } == [.wait, .split])
    #expect((0..<2).map { _ in one.remedy(after: BrokerError(.timeout, "")) } == [.wait, .split])
    #expect((0..<3).map { _ in least.remedy(after: PostgresError(.timeout)) } == [.wait, .wait, .wait])
    var part = many.parts[0]
    #expect(part.remedy(after: PostgresError(.timeout)) == .wait)
  }
}
