import Broker
import Foundation
import NotificationQueue
import Testing

@testable import Dispatching

@Suite struct InFlightMessageTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// When each of two targets comes back that wait half a minute, by ends of tiers.
  private func waits(_ reason: Postponement.Reason, failingFor age: TimeInterval?) throws -> [TimeInterval] {
    let channel = ScriptedChannel { target, _ in .delivered(providerID: target) }
    var message = try DispatchBench.message(["ann", "ben"])
    message.failingSince = age.map { now - $0 }
    let received = BrokerDelivery(
      message: BrokerMessage(body: QueueCoder.encode(message)),
      exchange: "",
      routingKey: channel.queue.name,
      redelivered: false,
      deliveryCount: 0,
      tag: 1,
      generation: 1
    )
    let attempt = Attempt(channel, ladder: RetryLadder(), failures: 0, jitter: FullJitter { 0.5 })
    let work = InFlightMessage(message, received, attempt: attempt)
    // As long as the first one, or they would come back in pieces.
    for (number, targeted) in message.targetedDeliveries.enumerated() {
      work.postpone(targeted, Postponement(reason: reason, after: .seconds(30 + number)), now: now)
    }
    #expect(work.attempt.retries.values.map(\.count) == [2])
    return work.attempt.retries.keys.compactMap { $0.notBefore?.timeIntervalSince(now) }
  }

  @Test(arguments: [(nil, 30.0), (60.0, 30), (240, 30), (1_200, 150), (864_000, 300), (-864_000, 30)])
  func `while a breaker is open, what waits for long comes back less often`(age: TimeInterval?, least: Double) throws {
    for reason in [Postponement.Reason.breaker, .retryBudget] {
      let wait = try #require(try waits(reason, failingFor: age).first)
      #expect(wait >= least && wait <= least * 9 / 8)
    }
  }

  @Test(arguments: [Postponement.Reason.busy, .quarterHour, .quota])
  func `what another reason holds back waits as long as ever`(reason: Postponement.Reason) throws {
    let wait = try #require(try waits(reason, failingFor: 864_000).first)
    #expect(wait >= 30 && wait <= 34)
  }
}
