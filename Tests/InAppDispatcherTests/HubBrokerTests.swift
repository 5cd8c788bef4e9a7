import Broker
import InMemoryTracing
import Metrics
import MetricsTestKit
import NotificationModel
import NotificationQueue
import SignalRProtocol
import TestSupport
import Testing
import Tracing

@testable import InAppDispatcher

/// Two nodes, a real broker and a real database: what one client does is published to all of the user's.
///
/// One test after the other: nodes of both would get what either publishes.
@Suite(.sharedBroker, .serialized) struct HubBrokerTests {
  private let broker: TestBroker

  init() throws { broker = try TestBroker.require() }

  /// Runs `body` while the hub takes what the broker has for its shards.
  private func consuming(
    _ hub: TestHub,
    _ node: String,
    _ shards: Set<Int>,
    _ body: () async throws -> Void
  ) async throws {
    let consumer = RealtimeConsumer.queue(
      of: node,
      shards: shards,
      configuration: try broker.configuration(),
      interrupted: {},
      logger: .quiet
    )
    let service = RealtimeConsumer(consumer: consumer, server: hub.server, logger: .quiet)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await service.run() }
      defer { group.cancelAll() }
      try await eventually("the consumer is ready") { consumer.isReady }
      try await body()
    }
  }

  private func counts(_ client: TestConnection, _ count: Int, as hubProtocol: HubProtocol = .json) async throws
    -> [HubMessage]
  {
    var messages: [HubMessage] = []
    while messages.count < count { messages.append(try await client.nextMessage(as: hubProtocol)) }
    return messages
  }

  @Test func `what is marked on one connection reaches all of the user's, on every node of the shard`() async throws {
    let anna = UserID.random()
    let shard = Shard.of(anna).number
    try await broker.withPublisher { publisher in
      try await TestMethods.run(publisher: publisher) { test in
        try await TestHub.run { second in
          try await consuming(test.hub, "one", Set(0..<8)) {
            try await consuming(second, "two", [shard]) {
              try await check(test, second, anna)
            }
          }
        }
      }
    }
  }

  @Test func `a batch of the broker's is timed, and has a span that links to who sent it`() async throws {
    let (anna, metrics, tracer) = (UserID.random(), TestMetrics(), InMemoryTracer())
    func spans(_ name: String) -> [FinishedInMemorySpan] { tracer.finishedSpans.filter { $0.operationName == name } }
    try await withMetricsFactory(metrics) {
      try await withTracer(tracer) {
        try await broker.withPublisher { publisher in
          try await TestHub.run { hub in
            try await consuming(hub, "one", Set(0..<8)) {
              let client = try await hub.connect(anna)
              await RealtimePublisher(publisher: publisher, appID: "tests", logger: .quiet)
                .publish(InboxUpdate(unread: 7), of: anna)
              #expect(try await client.message() == TestHub.unreadMessage(7))
              // What it does not wait for.
              try await eventually("the batch has ended") { !spans("process batch").isEmpty }
            }
          }
        }
      }
    }
    let links = try #require(spans("process batch").first).links
    let sent = try #require(spans("send \(Topology.realtimeExchange)").first)
    #expect(links.map { $0.context.inMemorySpanContext?.traceID } == [sent.traceID])
    #expect(try metrics.expectTimer("belfry_inapp_delivery_duration").values.count == 1)
    #expect(try metrics.expectCounter("belfry_inapp_delivered").totalValue == 1)
  }

  private func check(_ test: TestMethods, _ second: TestHub, _ anna: UserID) async throws {
    try await test.store(3, for: anna)
    let caller = try await test.hub.connect(anna)
    let binary = try await test.hub.connect(anna, as: .messagePack)
    let elsewhere = try await second.connect(anna)
    let bystander = try await test.hub.connect(.random())
    let id = try await test.ids(of: anna)[1]
    func count(_ count: Int64) -> HubMessage {
      .invocation(id: nil, target: "UnreadCountChanged", arguments: [.integer(count)])
    }
    let read = HubMessage.invocation(id: nil, target: "NotificationRead", arguments: [.string(id.description)])
    let answer = HubMessage.completion(id: "1", .value(.null))

    try await caller.send(.invocation(id: "1", target: "MarkAsRead", arguments: [.string(id.description)]))
    // The answer may come before or after the event, which goes by way of the broker.
    let own = try await counts(caller, 3)
    #expect(own.filter { $0 != answer } == [read, count(2)])
    #expect(own.contains(answer))
    #expect(try await counts(binary, 2, as: .messagePack) == [read, count(2)])
    #expect(try await counts(elsewhere, 2) == [read, count(2)])

    // Once more changes nothing, and nothing is published.
    try await caller.send(.invocation(id: "1", target: "MarkAsRead", arguments: [.string(id.description)]))
    #expect(try await caller.nextMessage() == answer)

    try await caller.send(.invocation(id: "1", target: "MarkAllAsRead", arguments: []))
    #expect(try await counts(caller, 5).contains(answer))
    for (client, hubProtocol) in [(binary, HubProtocol.messagePack), (elsewhere, .json)] {
      let received = try await counts(client, 4, as: hubProtocol)
      #expect(received.filter { $0 == count(0) }.count == 2)
      #expect(received.last == count(0))
    }
    #expect(try await bystander.hasNothing())
    #expect(second.server.statistics[.undecodable] == 0)
  }
}
