import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing

extension EndToEndTests {
  /// What connected clients say and get beyond notifications, over two routers and two hubs.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct HubMethodTests {

    // MARK: Viewing

    @Test func `no push goes out about what its recipient has on the screen`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let hub = try await HubClient.connect(.pysignalr, to: belfry, as: ann)
        let conversation = UUID()
        #expect(try await hub.invoke("StartViewing", ["Conversation", conversation.uuidString]).error == nil)
        let viewed = try await send(about: conversation, to: ann, belfry)
        try await eventually("it arrived") { try hub.notifications().map { $0["id"] as? String } == [viewed] }
        #expect(try await decision(on: viewed, for: ann, belfry) == Int(SkipReason.viewing.rawValue))
        try await expectPushed(try await send(about: UUID(), to: ann, belfry), to: ann, belfry)
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        #expect(try await belfry.pushes(to: ann.devices[0]).allSatisfy { $0["notificationId"] as? String != viewed })
        let log = try await belfry.database.query(
          """
          SELECT outcome, reason FROM delivery_log
          WHERE user_id = \(ann.id.uuid) AND notification_id::text = \(viewed) AND channel = 2
          """
        )
        #expect(
          try log.map { "\(try $0.get(0, as: String.self)) \(try $0.get(1, as: String.self))" } == ["skipped viewing"]
        )

        #expect(try await hub.invoke("StopViewing").error == nil)
        try await expectPushed(try await send(about: conversation, to: ann, belfry), to: ann, belfry)

        #expect(try await hub.invoke("StartViewing", ["Conversation", conversation.uuidString]).error == nil)
        let again = try await send(about: conversation, to: ann, belfry)
        #expect(try await decision(on: again, for: ann, belfry) == Int(SkipReason.viewing.rawValue))
        await hub.kill()
        try await eventually("the hub has noticed", within: .seconds(5)) {
          try await belfry.database.query("SELECT 1 FROM presence WHERE user_id = \(ann.id.uuid)").isEmpty
        }
        try await expectPushed(try await send(about: conversation, to: ann, belfry), to: ann, belfry)
      }
    }

    @Test func `what was looked at over a killed node is pushed again within 45 s`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let hub = try await HubClient.connect(.pysignalr, to: belfry, as: ann)
        let conversation = UUID()
        #expect(try await hub.invoke("StartViewing", ["Conversation", conversation.uuidString]).error == nil)
        let viewed = try await send(about: conversation, to: ann, belfry)
        #expect(try await decision(on: viewed, for: ann, belfry) == Int(SkipReason.viewing.rawValue))
        let node = try #require(belfry.stack.services(.inapp).first)
        await node.kill()
        let killedAt = ContinuousClock.now
        do {
          try await eventually("one is pushed", within: .seconds(45), every: .seconds(1)) {
            let id = try await send(about: conversation, to: ann, belfry)
            return try await decision(on: id, for: ann, belfry) == 0
          }
          try await eventually("it is accepted") { try await !belfry.pushes(to: ann.devices[0]).isEmpty }
        } catch {
          try await node.restart()
          throw error
        }
        print("pushed again \(ContinuousClock.now - killedAt) after the node's death")
        try await node.restart()
      }
    }

    /// - Returns: The notification's id.
    private func send(about entity: UUID, to person: Person, _ belfry: TestStack) async throws -> String {
      let about = #""relatedEntityType":"Conversation","relatedEntityId":"\#(entity.lowercased)""#
      let answer = try await belfry.send(#"{"to":{"users":["\#(person.id)"]},"type":12,\#(about)}"#).expect(202)
      let request = try #require(RequestID(answer.json["requestId"] as? String ?? ""))
      return NotificationID(request: request, recipient: person.id).description
    }

    /// What the router decided on a notification's push: 0, or the code of the reason against it.
    private func decision(on id: String, for person: Person, _ belfry: TestStack) async throws -> Int {
      var code: Int?
      try await eventually("\(id) is stored") {
        let rows = try await belfry.database.query(
          "SELECT push FROM notifications WHERE user_id = \(person.id.uuid) AND id::text = \(id)"
        )
        code = try rows.first?.get(0, as: Int.self)
        return code != nil
      }
      return try #require(code)
    }

    private func expectPushed(_ id: String, to person: Person, _ belfry: TestStack) async throws {
      #expect(try await decision(on: id, for: person, belfry) == 0)
      try await eventually("\(id) is pushed") {
        try await belfry.pushes(to: person.devices[0]).contains { $0["notificationId"] as? String == id }
      }
    }

    // MARK: Broker

    @Test func `clients come back after the broker's death, and Resume gives what they missed`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        var hubs: [HubClient] = []
        for node in 0..<2 {
          hubs.append(try await HubClient.connect(.pysignalr, to: belfry, as: ann, options: .init(node: node)))
        }
        try await belfry.send(3, to: ann)
        try await eventually("three arrived") { try hubs.allSatisfy { try $0.seqs() == [1, 2, 3] } }
        // Some of these wait in the broker when it dies, and are routed while the hubs have no queues yet.
        try await belfry.send(40, to: ann)
        await belfry.stack.rabbitmq.kill()
        async let restart: Void = belfry.stack.rabbitmq.restart()
        let body = #"{"to":{"users":["\#(ann.id)"]},"type":12}"#
        for _ in 0..<20 {
          try await eventually("it is accepted", within: .seconds(60)) { try await belfry.send(body).status == 202 }
        }
        try await restart
        try await eventually("both were asked to connect again", within: .seconds(60)) {
          try hubs.allSatisfy { try $0.connections() >= 2 }
        }
        try await eventually("nothing is in flight", within: .seconds(60)) { try await belfry.backlog() == 0 }
        // A send that was refused may have been taken nevertheless.
        let stored = try await belfry.inbox(of: ann).map { $0.seq }
        #expect(stored.count >= 63)
        for hub in hubs {
          let last = zip(try hub.seqs(), 1...).prefix(while: ==).last?.0 ?? 0
          let resumed = try await hub.invoke("Resume", [last])
          #expect(resumed.error == nil)
          #expect(resumed.seqs == resumed.seqs.sorted() && resumed.seqs.allSatisfy { $0 > last })
          // What the router publishes again after the restart may come to the new connection before its Resume.
          try await eventually("nothing is missing") { try Set(hub.seqs() + resumed.seqs) == Set(stored) }
          print("\(resumed.seqs.count) of \(stored.count) by Resume, \(try hub.seqs().count) live")
        }
        let next = stored.count + 1
        try await belfry.send(1, to: ann)
        try await eventually("news arrive") { try hubs.allSatisfy { try $0.seqs().last == next } }
      }
    }
  }
}
