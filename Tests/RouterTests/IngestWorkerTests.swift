import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceFaults
import Synchronization
import TestSupport
import Testing

@testable import Broker
@testable import Postgres
@testable import Router

/// What the router makes of failures that are not its own death.
@Suite struct IngestWorkerTests {
  private let people = (0..<40).map { _ in UserID(UUID()) }

  /// What can never be stored.
  private struct Poison: Error {}

  private func isAllStored(_ router: TestRouter, but missing: Set<UserID> = []) -> Bool {
    router.isDone && Set(router.stores.stored.keys) == Set(people).subtracting(missing)
      && router.stores.stored.values.allSatisfy { $0 == 1 }
  }

  @Test func `what can never be routed is found and dead-lettered, and its neighbours go on`() async throws {
    let router = TestRouter()
    for person in people { try await router.send(to: [person]) }
    let bad = [people[0], people[17]]
    let attempts = Mutex(0)
    router.stores.fail { call in
      guard case .store(let items) = call else { return nil }
      attempts.withLock { $0 += 1 }
      return items.contains { bad.contains($0.userID) } ? Poison() : nil
    }
    try await router.run()
    #expect(isAllStored(router, but: Set(bad)))
    #expect(router.deadLettered.count == 2)
    // Halving: 40 messages one by one would have been more.
    #expect(attempts.withLock(\.self) < 30)
  }

  @Test func `whose request it was is stored with each notification, also of a group that was cut`() async throws {
    let router = TestRouter()
    let people = people
    router.stores.setGroup("team", people)
    let body = #"{"to":{"group":"team"},"type":12}"#
    var message = IngestKind.request.message(
      Array(body.utf8),
      id: RequestID(now: .now),
      appID: "belfry-gateway",
      at: .now
    )
    message.owner = .named("shop")
    try await router.broker.publish(message, exchange: Topology.ingestExchange, routingKey: Topology.requestKey)
    try await router.publish(TestRouter.body([people[0]]), id: "order 7")
    try await router.run()
    #expect(router.isDone && router.deadLettered.isEmpty)
    let owners = people.flatMap { router.stores.rows(of: $0).map(\.owner) }
    #expect(owners.count { $0 == .named("shop") } == people.count)
    #expect(owners.count { $0 == .named("tests") } == 1)
    #expect(owners.count == people.count + 1)
  }

  @Test func `data that is for the texts alone does not travel`() async throws {
    let router = TestRouter()
    let data = #"{"text":"Hello","senderName":"Ann","conversationId":"c","senderId":"a","messageId":"m"}"#
    let body = #"{"to":{"users":["\#(people[0])"]},"type":"NewMessage","data":\#(data)}"#
    try await router.publish(body, id: RequestID(now: .now).description, type: IngestKind.request.messageType)
    try await router.run()
    let content = try #require(try router.dispatches(.push).first?.contents.first)
    #expect(content.title == "Ann")
    #expect(content.body == "Hello")
    #expect(content.data == ["conversationId": "c", "senderId": "a", "messageId": "m"])
  }

  @Test func `what passes by itself is tried again, and nothing is dead-lettered`() async throws {
    let router = TestRouter()
    for person in people { try await router.send(to: [person]) }
    let failures = Mutex(2)
    router.stores.fail { call in
      guard case .recipients = call else { return nil }
      let isFailing = failures.withLock { left in
        left -= 1
        return left >= 0
      }
      return isFailing ? PostgresError(.connectionLost) : nil
    }
    try await router.run()
    #expect(isAllStored(router))
    #expect(router.deadLettered.isEmpty)
  }

  @Test func `a batch that takes too long is tried in parts, down to parts of one message's recipients`() async throws {
    var router = TestRouter()
    router.maximumTransaction = 20
    for person in people.prefix(20) { try await router.send(to: [person]) }
    try await router.send(to: Array(people.dropFirst(20)))
    router.stores.fail { call in
      guard case .store(let items) = call, items.count > 5 else { return nil }
      return PostgresError(.timeout)
    }
    try await router.run()
    #expect(isAllStored(router))
    #expect(router.deadLettered.isEmpty)
    #expect(router.stores.largestTransaction == 5)
  }

  @Test func `one message's recipients are stored in transactions of the configured size`() async throws {
    var router = TestRouter()
    router.maximumTransaction = 15
    try await router.send(to: people)
    try await router.run()
    #expect(isAllStored(router))
    #expect(router.stores.largestTransaction == 15)
  }

  @Test(arguments: ["23514", "42P01", "42501", "42703", "42883", "53100", "25006"])
  func `a fault of the installation is waited for, logged once, and shown in readiness`(_ sqlState: String) async throws
  {
    let router = TestRouter()
    for person in people { try await router.send(to: [person]) }
    let attempts = Mutex(0)
    let seen = Mutex<[String?]>([])
    let faults = router.faults
    router.stores.fail { call in
      guard case .store = call else { return nil }
      seen.withLock { $0.append(faults.problem) }
      let count = attempts.withLock { count in
        count += 1
        return count
      }
      return count > 3 ? nil : PostgresError(.server(sqlState: sqlState))
    }
    try await router.run()
    #expect(isAllStored(router))
    #expect(router.deadLettered.isEmpty)
    let name = ServiceFault(PostgresError(.server(sqlState: sqlState)))?.name
    #expect(name?.hasPrefix("database: ") == true)
    #expect(seen.withLock(\.self) == [nil, name, name, name])
    #expect(faults.problem == nil)
    let notified = router.log.all.filter { $0.text.contains("the installation") || $0.text.contains("goes on") }
    #expect(notified.map(\.level) == [.error, .notice])
  }

  @Test func `senders' keys of sends and events are looked up together, and only where there are any`() async throws {
    let router = TestRouter()
    let claims = Mutex(0)
    router.stores.fail { call in
      if case .claim = call { claims.withLock { $0 += 1 } }
      return nil
    }
    for person in people { try await router.send(to: [person]) }
    try await router.run()
    #expect(claims.withLock(\.self) == 0)
    for number in 0..<3 {
      try await router.publish(TestRouter.body([people[number]]), id: "order \(number)")
      let payload = #"{"userId":"\#(people[number])","goalId":"g","goalName":"Bike","percent":1}"#
      try await router.publish(
        #"{"name":"GoalUpdated","payload":\#(payload)}"#,
        id: "event \(number)",
        key: Topology.eventKey
      )
    }
    try await router.run()
    #expect(claims.withLock(\.self) == 1)
    #expect(router.isDone && router.deadLettered.isEmpty)
  }

  @Test func `what needs no database is done while senders' keys cannot be looked up`() async throws {
    let router = TestRouter()
    try await router.publish(TestRouter.body([people[0]]), id: "order")
    let event = #"{"name":"GoalReached","audience":{"users":["\#(people[1])"]},"payload":{}}"#
    try await router.publish(event, key: Topology.eventKey)
    try await router.publish("[", id: "no request")
    let unknown = #"{"to":{"users":["\#(people[2])"]},"type":4711}"#
    try await router.publish(unknown, id: RequestID(now: .now).description, type: IngestKind.request.messageType)
    let before = Mutex<[[Int]]>([])
    router.stores.fail { call in
      guard case .claim = call else { return nil }
      let relays = (try? router.realtime().count) ?? 0
      let isFirst = before.withLock { before in
        before.append([relays, router.deadLettered.count, router.postponed.count])
        return before.count == 1
      }
      return isFirst ? PostgresError(.connectionLost) : nil
    }
    try await router.run()
    #expect(before.withLock(\.self) == [[1, 1, 1], [1, 1, 1]])
    #expect(Set(router.stores.stored.keys) == [people[0]])
    #expect(router.isDone)
  }

  @Test func `an old part, for which there need be no partition, is dead-lettered and does not hold up the rest`()
    async throws
  {
    let router = TestRouter()
    let type = try #require(try TestRouter.catalogue.get().type(.code(12)))
    let old = Date.now - 40 * 86_400
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: nil, body: nil, data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: old,
      expiresAt: old + 60
    )
    let order = RoutingOrder(
      requestId: RequestID(now: old),
      content: content,
      channels: nil,
      recipients: [UserID(UUID())]
    )
    try await router.publish(String(decoding: QueueCoder.encode(order), as: UTF8.self), type: RoutingOrder.chunkType)
    for person in people { try await router.send(to: [person]) }
    try await router.run()
    #expect(isAllStored(router))
    #expect(router.deadLettered.count == 1)
    #expect(router.deadLettered[0].contains("which is not kept"))
  }

  @Test func `what cannot even be dead-lettered is left to the broker's own dead-lettering`() async throws {
    let router = TestRouter()
    try await router.publish("nonsense", id: "x")
    for person in people { try await router.send(to: [person]) }
    router.broker.failPublishes { _, exchange, _ in
      exchange == Topology.deadExchange ? BrokerError(.invalidMessage, "no") : nil
    }
    try await router.run()
    #expect(isAllStored(router))
    #expect(router.broker.steps.contains(.rejected(requeue: false)))
  }
}
