import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing

@testable import Dispatching

/// What comes up against targets after they were routed.
@Suite(.timeLimit(.minutes(2))) struct ObjectionTests {
  private func channel(_ stands: Duration?, answer: DeliveryResult? = nil) -> ScriptedChannel {
    ScriptedChannel(decisionStands: stands) { target, number in
      number == 1 ? answer ?? .delivered(providerID: target) : .delivered(providerID: target)
    }
  }

  @Test func `of fifty that wait those who stopped them meanwhile get none, and it is asked once for a message`()
    async throws
  {
    let bench = DispatchBench()
    let people = (0..<50).map { "user\($0)" }
    try await bench.send(try DispatchBench.message(people))
    let channel = channel(.zero)
    channel.object(to: "user3", .preferenceOff)
    channel.object(to: "user30", .emailSuppressed)
    var timing = DispatchTiming()
    timing.lookupLifetime = .seconds(60)
    timing.recordingInterval = .milliseconds(1)
    try await bench.drain(channel, timing: timing)
    #expect(channel.tries == 48)
    #expect(channel.asked == [people])
    for (target, reason) in [("user3", "preferenceOff"), ("user30", "emailSuppressed")] {
      let record = try #require(bench.outcomes.records.first { $0.key.target == target }?.value)
      #expect(record.outcome == .rejected && record.reason == reason && record.attempts == 0)
    }
    #expect(try bench.deadLettered().isEmpty)
  }

  @Test func `what was just routed is asked about only when it comes back from the ladder`() async throws {
    let bench = DispatchBench(ladderLeadsBack: false)
    try await bench.send(try DispatchBench.message(["ann", "ben"]))
    let channel = channel(.seconds(60), answer: .retry(reason: "451", first: .seconds(1)))
    try await bench.worker(channel).run()
    #expect(channel.tries == 2 && channel.asked.isEmpty)
    channel.object(to: "ann", .emailSuppressed)
    for waiting in bench.broker.messages(in: "ladder") { try await bench.send(try QueueCoder.decode(from: waiting)) }
    try await bench.drain(channel)
    #expect(channel.accepted.keys.map(\.target) == ["ben"])
    let record = try #require(bench.outcomes.records.first { $0.key.target == "ann" }?.value)
    #expect(record.outcome == .rejected && record.reason == "emailSuppressed" && record.attempts == 1)
  }

  @Test func `what was routed a minute ago is asked about`() async throws {
    let bench = DispatchBench()
    var message = try DispatchBench.message(["ann"])
    message.contents[0].createdAt = Date.now - 61
    try await bench.send(message)
    let channel = channel(.seconds(60))
    channel.object(to: "ann", .preferenceOff)
    try await bench.drain(channel)
    #expect(channel.tries == 0 && channel.asked == [["ann"]])
  }

  @Test func `a decision stands from when it was made, however long the message has waited here for its turn`() throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    var message = try DispatchBench.message(["ann"])
    message.contents[0].createdAt = now - 40
    let received = BrokerDelivery(
      message: BrokerMessage(body: QueueCoder.encode(message)),
      exchange: "",
      routingKey: WorkQueue.email.name,
      redelivered: false,
      deliveryCount: 0,
      tag: 1,
      generation: 1
    )
    let attempt = Attempt(channel(nil), ladder: RetryLadder(), failures: 0, jitter: FullJitter { 0.5 })
    let work = InFlightMessage(message, received, attempt: attempt)
    // Thirty of the forty seconds it was here.
    let clock = work.receivedAt + .seconds(30)
    let lookup = ObjectionLookup(of: work, standing: .seconds(60), lifetime: .zero, now: now, clock: clock)
    #expect(lookup.staleFrom == clock + .seconds(20))
  }

  @Test func `where a decision stands for good nobody is asked`() async throws {
    let bench = DispatchBench()
    try await bench.send(try DispatchBench.message(["ann"], recheck: true, attempt: 1))
    let channel = channel(nil)
    channel.object(to: "ann", .preferenceOff)
    try await bench.drain(channel)
    #expect(channel.tries == 1 && channel.asked.isEmpty)
  }

  @Test func `what expires while it is asked what speaks against it is not sent`() async throws {
    let bench = DispatchBench()
    let message = try DispatchBench.message(["ann"], lifetime: 0.5)
    try await bench.send(message)
    let channel = channel(.zero)
    let end = message.contents[0].expiresAt
    channel.beforeObjections { try await eventually("it has expired") { Date.now > end } }
    try await bench.drain(channel)
    #expect(channel.tries == 0 && channel.asked == [["ann"]])
    #expect(bench.outcomes.records.values.map(\.outcome) == [.expired])
  }

  @Test func `what could not end in time once it is known what speaks against it is put back`() async throws {
    let bench = DispatchBench(ladderLeadsBack: false)
    try await bench.send(try DispatchBench.message(["ann", "ben"]))
    let channel = channel(.zero)
    var timing = DispatchTiming()
    timing.consumerTimeout = .seconds(5)
    let end = ContinuousClock.now + timing.consumerTimeout / 5
    channel.beforeObjections { try await eventually("it is late") { ContinuousClock.now > end } }
    try await bench.worker(channel, timing: timing).run()
    #expect(channel.tries == 0)
    let waiting: [DispatchMessage] = try bench.broker.messages(in: "ladder").map { try QueueCoder.decode(from: $0) }
    #expect(waiting.map { $0.deliveries.flatMap(\.targets).map(\.id) } == [["ann", "ben"]])
  }
}
