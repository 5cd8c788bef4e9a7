import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing

extension EndToEndTests {
  /// Nobody dies, but somebody sleeps for longer than the others wait, with slow mails on their way.
  @Suite(.serialized) struct PauseTests {
    private static let count = 40

    /// Slow pushes are all on their way at once, but for these, by which a test knows that they have begun.
    private static let quickPushes = 4

    /// Sends slow mails, has somebody sleep in the middle, and looks at what arrived.
    private func check(_ belfry: TestStack, _ sleep: () async throws -> Void) async throws {
      var people: [Person] = []
      for _ in 0..<Self.count { people.append(try await belfry.makeUser(email: true, platforms: [])) }
      let effect = #"{"kind":"latency","milliseconds":1000,"stage":"message"}"#
      try await belfry.fault(#"{"match":{"channel":"email"},"effect":\#(effect)}"#)
      let users = people.map { #""\#($0.id)""# }.joined(separator: ",")
      _ = try await belfry.send(
        #"{"to":{"users":[\#(users)]},"type":10,"data":{"amount":"$1","balance":"$2"}}"#
      ).expect(202)
      try await eventually("some mails are through") { try await accepted(belfry) >= 4 }
      try await sleep()
      try await eventually("every mail is through", within: .seconds(120), every: .milliseconds(500)) {
        try await belfry.database.query(
          "SELECT count(*) FROM deliveries WHERE user_id = ANY (\(people.map(\.id.uuid))) AND channel = 3 AND outcome = 1"
        ).first?.get(0) == Self.count
      }
      try await eventually("nothing is in flight", within: .seconds(60)) { try await belfry.backlog() == 0 }
      for person in people { #expect(try await belfry.mails(to: person.email).count == 1) }
    }

    private func accepted(_ belfry: TestStack) async throws -> Int {
      try await belfry.simulator("GET", "/api/mails?limit=1000").expect(200).list("mails").count
    }

    @Test func `a dispatcher that is stopped until the broker takes its work away repeats no mail`() async throws {
      try await TestStack.with { belfry in
        try await check(belfry) {
          let dispatcher = try #require(belfry.stack.services(.email).first)
          dispatcher.pause()
          defer { dispatcher.resume() }
          try await eventually("the broker has given it up", within: .seconds(60), every: .milliseconds(500)) {
            try await belfry.stack.rabbitmq.control(
              ["list_queues", "-q", "--no-table-headers", "name", "messages_ready"]
            ).contains("belfry.email\t1\n")
          }
        }
      }
    }

    @Test func `a broker that is stopped until its dispatcher gives it up repeats no mail`() async throws {
      try await TestStack.with { belfry in
        try await check(belfry) {
          let dispatcher = try #require(belfry.stack.services(.email).first)
          belfry.stack.rabbitmq.pause()
          defer { belfry.stack.rabbitmq.resume() }
          try await eventually("the dispatcher has noticed", within: .seconds(60)) {
            await !dispatcher.isReady()
          }
        }
      }
    }

    /// Only the broker's sleep: of several push dispatchers, one that sleeps itself may push again what another was given
    /// meanwhile (docs/architecture.md, guarantee 4).
    @Test func `a broker that is stopped until its dispatchers give it up repeats no push`() async throws {
      try await TestStack.with { belfry in
        var people: [Person] = []
        for _ in 0..<Self.count { people.append(try await belfry.makeUser()) }
        let effect = #"{"kind":"latency","milliseconds":3000}"#
        for person in people.dropFirst(Self.quickPushes) {
          try await belfry.fault(#"{"match":{"token":"\#(person.devices[0])"},"effect":\#(effect)}"#)
        }
        func delivered() async throws -> Int {
          try await belfry.database.query(
            "SELECT count(*) FROM deliveries WHERE user_id = ANY (\(people.map(\.id.uuid))) AND channel = 2 AND outcome = 1"
          ).first?.get(0) ?? 0
        }
        let users = people.map { #""\#($0.id)""# }.joined(separator: ",")
        _ = try await belfry.send(#"{"to":{"users":[\#(users)]},"type":12}"#).expect(202)
        try await eventually("some pushes are through") { try await delivered() >= Self.quickPushes }
        belfry.stack.rabbitmq.pause()
        defer { belfry.stack.rabbitmq.resume() }
        for dispatcher in belfry.stack.services(.push) {
          try await eventually("the dispatcher has noticed", within: .seconds(60)) { await !dispatcher.isReady() }
        }
        try await eventually("every push is recorded without the broker", within: .seconds(60)) {
          try await delivered() == Self.count
        }
        belfry.stack.rabbitmq.resume()
        try await eventually("nothing is in flight", within: .seconds(60)) { try await belfry.backlog() == 0 }
        for person in people { #expect(try await belfry.pushes(to: person.devices[0]).count == 1) }
      }
    }
  }
}
