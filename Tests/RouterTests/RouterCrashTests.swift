import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import TestSupport
import Testing
import WallClock

@testable import Router

/// A router that dies anywhere loses nothing, stores nothing twice, and marks what it may have dispatched before.
@Suite struct RouterCrashTests {
  private let family = (0..<25).map { _ in UserID(UUID()) }
  private let guests = (0..<15).map { _ in UserID(UUID()) }
  private let people = (0..<6).map { _ in UserID(UUID()) }

  /// Every kind of message but those without an id, which may double; see `RequestsWithoutIDTests`.
  private func world(maximumBatch: Int) async throws -> TestRouter {
    var router = TestRouter()
    router.maximumBatch = maximumBatch
    router.stores.setGroup("family:1", family)
    try await router.send(to: [people[0], people[1]])
    try await router.publish(TestRouter.body([people[2]]), id: "order-7")
    try await router.publish("nonsense", id: "x")
    try await router.publish(
      #"{"to":{"group":"family:1","except":["\#(family[3])"]},"type":12}"#,
      id: RequestID(now: .now).description,
      type: IngestKind.request.messageType
    )
    try await router.publish(
      #"{"name":"GoalReached","audience":{"users":["\#(people[0])"]},"payload":{"goalId":"g"}}"#,
      key: Topology.eventKey
    )
    try await router.publish(TestRouter.body([people[2]]), id: "order-7")
    try await router.send(to: [people[3], people[4], people[5]])
    // What has come due in one zone, in which one of the guests does not live.
    router.stores.setGroup("guests", guests)
    for guest in guests.dropFirst() { router.stores.move(guest, to: "Europe/Berlin") }
    let due = ScheduledSend(
      requestId: RequestID(schedule: "party", of: "shop", on: try #require(LocalDate("2026-11-22"))),
      at: .now,
      date: LocalDate("2026-11-22"),
      facts: ["date": "2026-11-22"],
      zones: ["Europe/Berlin"],
      request: try JSONParser.parse(Array(#"{"to":{"group":"guests"},"type":12}"#.utf8))
    )
    let body = String(decoding: QueueCoder.encode(due), as: UTF8.self)
    try await router.publish(body, type: ScheduledSend.messageType)
    return router
  }

  private func check(_ router: TestRouter, _ deaths: String) throws {
    let wanted = Set(people + family + guests).subtracting([family[3], guests[0]])
    #expect(router.isDone, "\(deaths)")
    #expect(Set(router.stores.stored.keys) == wanted, "\(deaths)")
    #expect(router.stores.stored.values.allSatisfy { $0 == 1 }, "\(deaths)")
    #expect(router.stores.counted.values.allSatisfy { $0 == 1 }, "\(deaths)")
    #expect(Set(router.deadLettered) == ["invalid: malformed JSON near line 1, column 1"], "\(deaths)")
    for queue in [WorkQueue.push, .email] {
      var rechecks: [UserID: [Bool]] = [:]
      for message in try router.dispatches(queue) {
        for delivery in message.deliveries { rechecks[delivery.userId, default: []].append(message.recheck) }
      }
      #expect(Set(rechecks.keys) == wanted, "\(queue.name) \(deaths)")
      // Only the first may be sent without a look at what was delivered before.
      #expect(rechecks.values.allSatisfy { $0.dropFirst().allSatisfy { $0 } }, "\(queue.name) \(deaths)")
    }
  }

  @Test(arguments: [1, 3, 100])
  func `one death, before or after any step`(_ maximumBatch: Int) async throws {
    for isAfter in [false, true] {
      // Chunks come back in any order, and so with other neighbours: how many steps there are differs a little.
      var step = 0
      var isAlive = false
      while !isAlive {
        step += 1
        let death = Lifetime.Death(step: step, isAfter: isAfter)
        let router = try await world(maximumBatch: maximumBatch)
        isAlive = try await router.run(until: death).isAlive
        try await router.run()
        try check(router, "\(death)")
      }
      #expect(step > 10)
    }
  }

  @Test func `the router that takes over dies too`() async throws {
    let steps = try await world(maximumBatch: 3).run().steps
    for first in 1...steps {
      for second in stride(from: 1 + first % 5, through: steps, by: 5) {
        let deaths = [Lifetime.Death(step: first, isAfter: true), .init(step: second, isAfter: first % 2 == 0)]
        let router = try await world(maximumBatch: 3)
        for death in deaths { try await router.run(until: death) }
        try await router.run()
        try check(router, "\(deaths)")
      }
    }
  }
}
