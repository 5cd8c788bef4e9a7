import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

extension EndToEndTests {
  /// Events go to whoever of their audience is connected, on whatever node.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct EventTests {
    @Test func `an event reaches the members of that moment on all nodes, and nobody else`() async throws {
      try await TestStack.with { belfry in
        let family = "family:\(UUID().lowercased)"
        let path = "/api/v1/groups/\(family)"
        let service = try await belfry.serviceToken()
        var people: [Person] = []
        for _ in 0..<5 { people.append(try await belfry.makeUser(platforms: [])) }
        let (ann, bob, excepted, stranger, late) = (people[0], people[1], people[2], people[3], people[4])
        let members = #"{"members":["\#(ann.id)","\#(bob.id)","\#(excepted.id)"]}"#
        _ = try await belfry.call("PUT", path, token: service, body: members).expect(200)
        let hubs = [
          try await connect(ann, 0, "/hubs/notifications", belfry),
          try await connect(bob, 1, "/hub/family", belfry),
          try await connect(excepted, 0, "/hubs/notifications", belfry),
          try await connect(stranger, 1, "/hubs/notifications", belfry),
          try await connect(late, 1, "/hubs/notifications", belfry),
        ]
        let child = UUID().lowercased
        let audience = #"{"group":"\#(family)","except":["\#(excepted.id)"]}"#

        try await report(balance(42.5, of: child, to: audience), belfry)
        try await eventually("the members have it") { try hubs[0...1].allSatisfy { try events($0).count == 1 } }
        #expect(try events(hubs[0]).first == event("BalanceUpdated", [child, 42.5]))
        let whole: [String: Any] = ["childId": child, "newBalance": 42.5, "previousBalance": 40]
        #expect(try events(hubs[1]).first == event("BalanceUpdated", [whole]))

        let others = #"{"members":["\#(late.id)","\#(bob.id)","\#(excepted.id)"]}"#
        _ = try await belfry.call("PUT", path, token: service, body: others).expect(200)
        try await report(balance(43, of: child, to: audience), belfry)
        try await eventually("the new member has it") { try events(hubs[4]).count == 1 && events(hubs[1]).count == 2 }
        #expect(try events(hubs[4]).first == event("BalanceUpdated", [child, 43]))

        let payload = #"{"transactionId":"t-1","childId":"\#(child)","amount":5.25,"description":"日本 🎉"}"#
        let body = #"{"name":"transactioncreated","audience":\#(audience),"payload":\#(payload)}"#
        let arguments = ["--url", belfry.stack.rabbitmq.url, "--key", "event", "--body", body]
        #expect(try await CommandResult.python("Tests/Conformance/amqp_publish.py", arguments).status == 0)
        try await eventually("AMQP's event arrived") { try events(hubs[4]).count == 2 && events(hubs[1]).count == 3 }
        let object: [String: Any] = ["transactionId": "t-1", "childId": child, "amount": 5.25, "description": "日本 🎉"]
        for hub in [hubs[1], hubs[4]] {
          #expect(try events(hub).last == event("TransactionCreated", [object]))
        }

        // Whatever else was in flight to them has arrived when this has.
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        for person in people { try await belfry.send(1, to: person) }
        try await eventually("the notification arrived") { try hubs.allSatisfy { try $0.seqs() == [1] } }
        #expect(try hubs.map { try events($0).count } == [1, 3, 0, 0, 2])
      }
    }

    @Test func `every event of the catalogue arrives as each path expects it, in a group of any kind too`() async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let group = "class-\(UUID().lowercased)"
        _ = try await belfry.call(
          "PUT",
          "/api/v1/groups/\(group)",
          token: try await belfry.serviceToken(),
          body: #"{"members":["\#(ann.id)"]}"#
        ).expect(200)
        let plain = try await connect(ann, 0, "/hubs/notifications", belfry)
        let family = try await connect(ann, 1, "/hub/family", belfry)
        let types = try Catalogue().events.filter(\.isRelayed)
        #expect(types.count == 5)
        for (number, type) in types.enumerated() {
          let payload: [String: Any] = [
            "childId": "00000000-0000-7000-8000-00000000000\(number)", "newBalance": 42.5, "amount": 5.25, "note": "日本",
          ]
          let json = String(decoding: try JSONSerialization.data(withJSONObject: payload), as: UTF8.self)
          try await report(
            #"{"name":"\#(type.name)","audience":{"group":"\#(group)"},"payload":\#(json)}"#,
            belfry
          )
          try await eventually("\(type.name) arrived") {
            try [plain, family].allSatisfy { try events($0).count == number + 1 }
          }
          let arguments = type.arguments.isEmpty ? [payload] : type.arguments.compactMap { payload[$0] }
          #expect(try events(plain).last == event(type.name, arguments))
          #expect(try events(family).last == event(type.name, [payload]))
        }
      }
    }

    @Test func `an invalid event is refused, and the field named`() async throws {
      try await TestStack.with { belfry in
        let to = #""audience":{"users":["\#(UUID().lowercased)"]}"#
        let wrong = [
          (#"{"name":"BalanceUpdate",\#(to),"payload":{"childId":"c","newBalance":1}}"#, "name"),
          (#"{"name":"GoalUpdated",\#(to),"payload":{"goalId":"g"}}"#, "payload.userId"),
          (#"{\#(to),"payload":{"childId":"c","newBalance":1}}"#, "name"),
          (#"{"name":"BalanceUpdated",\#(to),"payload":{"childId":"c"}}"#, "payload.newBalance"),
          (#"{"name":"BalanceUpdated",\#(to),"payload":[]}"#, "payload"),
          (#"{"name":"BalanceUpdated",\#(to)}"#, "payload"),
          (#"{"name":"GoalReached","payload":{"childId":"c"}}"#, "audience"),
        ]
        let service = try await belfry.serviceToken()
        for (body, field) in wrong {
          let answer = try await belfry.call("POST", "/api/v1/events", token: service, body: body)
          #expect(answer.status == 400, "\(body): \(answer.text)")
          #expect(answer.problemFields == [field], "\(body): \(answer.text)")
        }
      }
    }

    private func connect(_ person: Person, _ node: Int, _ path: String, _ belfry: TestStack) async throws -> HubClient {
      try await HubClient.connect(.pysignalr, to: belfry, as: person, options: .init(node: node, path: path))
    }

    private func balance(_ amount: Double, of child: String, to audience: String) -> String {
      let payload = #"{"childId":"\#(child)","newBalance":\#(amount),"previousBalance":40}"#
      return #"{"name":"BalanceUpdated","audience":\#(audience),"payload":\#(payload)}"#
    }

    private func report(_ body: String, _ belfry: TestStack) async throws {
      _ = try await belfry.call("POST", "/api/v1/events", token: try await belfry.serviceToken(), body: body).expect(
        202
      )
    }

    /// The events that a client got, as text that can be compared.
    private func events(_ hub: HubClient) throws -> [String] {
      let own: Set = [
        "ReceiveNotification", "UnreadCountChanged", "NotificationRead", "NotificationChanged", "NotificationDeleted",
      ]
      return try hub.invocations().filter { !own.contains($0.target) }
        .map { try event($0.target, $0.arguments) }
    }

    private func event(_ target: String, _ arguments: [Any]) throws -> String {
      let data = try JSONSerialization.data(withJSONObject: arguments, options: .sortedKeys)
      return target + String(decoding: data, as: UTF8.self)
    }
  }
}
