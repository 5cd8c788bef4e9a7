import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing

@testable import Dispatching

/// What a dispatcher does with a push to a topic, which is nobody's.
@Suite(.timeLimit(.minutes(2))) struct TopicDispatchTests {
  private func message(recheck: Bool = false) throws -> DispatchMessage {
    var message = try DispatchBench.message(["news"], recheck: recheck)
    message.deliveries[0].targets = [DispatchMessage.Target(try TopicAudience(topic: "news"))]
    return message
  }

  @Test func `its outcome is recorded as a topic's, under the topic`() async throws {
    let bench = DispatchBench()
    let message = try message()
    try await bench.send(message)
    try await bench.worker(ScriptedChannel { target, _ in .delivered(providerID: target) }).run()
    let record = try #require(bench.outcomes.records.values.first)
    #expect(bench.outcomes.records.count == 1)
    #expect(record.audience == .topic && record.target == "news" && record.outcome == .delivered)
    #expect(record.notificationID == message.deliveries[0].notificationId)
  }

  @Test func `one that has its outcome is not pushed again`() async throws {
    let bench = DispatchBench()
    let channel = ScriptedChannel { target, _ in .delivered(providerID: target) }
    for recheck in [false, true, true] { try await bench.send(try message(recheck: recheck)) }
    try await bench.worker(channel).run()
    #expect(channel.tries == 1)
    #expect(bench.outcomes.lookups > 0)
    #expect(bench.broker.heldCount(of: bench.queue) == 0)
  }

  @Test func `nobody is asked whether its user was erased, for it has none`() async throws {
    let bench = DispatchBench()
    var message = try message()
    message.deliveries[0].userId = UserID(UUID())
    bench.erasures.erase(message.deliveries[0].userId, at: .now + 60)
    try await bench.send(message)
    let channel = ScriptedChannel { target, _ in .delivered(providerID: target) }
    try await bench.worker(channel).run()
    #expect(channel.tries == 1)
    #expect(bench.erasures.looks.isEmpty)
  }

  @Test func `a quota holds back its own topic, without counting an attempt`() async throws {
    let bench = DispatchBench(ladderLeadsBack: false)
    let ids = ["019a8b7c-6d5e-7f40-8123-456700000001", "019a8b7c-6d5e-7f40-8123-456700000002"]
    for (id, topic) in zip(ids, ["news", "sport"]) {
      var message = try DispatchBench.message([topic], request: try #require(RequestID(id)))
      message.deliveries[0].targets = [DispatchMessage.Target(try TopicAudience(topic: topic))]
      try await bench.send(message)
    }
    let channel = ScriptedChannel(control: ControlSettings(), scope: { ProviderScope("fcm:topic/\($0)") }) { topic, _ in
      topic == "news" ? .throttled(reason: "QUOTA_EXCEEDED", until: .seconds(10)) : .delivered(providerID: topic)
    }
    try await bench.worker(channel).run()
    #expect(bench.outcomes.records.values.map(\.target) == ["sport"])
    let waiting: DispatchMessage = try QueueCoder.decode(from: try #require(bench.broker.messages(in: "ladder").first))
    #expect(waiting.attempt == 0 && waiting.deliveries.flatMap(\.targets).map(\.audience) == [.topic])
  }

  @Test func `one that is too late expires`() async throws {
    let bench = DispatchBench()
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    var message = try DispatchBench.message(["news"], request: request, lifetime: -60)
    message.deliveries[0].targets = [DispatchMessage.Target(try TopicAudience(topic: "news"))]
    try await bench.send(message)
    let channel = ScriptedChannel { target, _ in .delivered(providerID: target) }
    try await bench.worker(channel).run()
    #expect(channel.tries == 0)
    #expect(bench.outcomes.records.values.map(\.outcome) == [.expired])
  }
}
