import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing
import Transport

extension EndToEndTests {
  @Suite(.serialized) struct DeliveryTests {
    private static let data = #""data":{"amount":"$10.00","balance":"$42.00"}"#

    @Test func `one send is one push per device, one hub message per connection, one mail and one inbox row`()
      async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(email: true, platforms: [.iOS, .android, .web])
        let first = try await HubClient.connect(.pysignalr, to: belfry, as: ann, count: 100)
        let second = try await HubClient.connect(.signalrcore, to: belfry, as: ann, count: 100)
        let answer = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":10,\#(Self.data)}"#).expect(202)
        let request = try #require(RequestID(answer.json["requestId"] as? String ?? ""))
        let id = NotificationID(request: request, recipient: ann.id).description
        try await eventually("everything arrived") {
          for device in ann.devices where try await belfry.pushes(to: device).isEmpty { return false }
          return try await !belfry.mails(to: ann.email).isEmpty && first.invocations().count >= 2
            && second.invocations().count >= 2
        }
        try await eventually("all outcomes are recorded") {
          try await belfry.database.query("SELECT 1 FROM deliveries WHERE user_id = \(ann.id.uuid)").count == 4
        }
        for device in ann.devices {
          let pushes = try await belfry.pushes(to: device)
          #expect(pushes.count == 1)
          #expect(pushes.first?["notificationId"] as? String == id)
        }
        let mails = try await belfry.mails(to: ann.email)
        #expect(mails.count == 1)
        #expect(mails.first?["subject"] as? String == "Allowance Received!")
        #expect((mails.first?["messageId"] as? String)?.contains(id) == true)
        for client in [first, second] {
          let received = try client.notifications()
          #expect(received.count == 1)
          #expect(received.first?["id"] as? String == id)
          #expect(
            received.first?["body"] as? String
              == "Your weekly allowance of $10.00 has been deposited. New balance: $42.00"
          )
          let counts = try client.invocations().filter { $0.target == "UnreadCountChanged" }
          #expect(counts.count == 1)
          #expect(counts.first?.arguments.first as? Int == 1)
        }
        let list = try await belfry.call("GET", "/api/v1/notifications", token: ann.token).expect(200)
        #expect(try list.list("notifications").count == 1)
        #expect(try list.list("notifications").first?["id"] as? String == id)
        let count = try await belfry.call("GET", "/api/v1/notifications/unread-count", token: ann.token)
        #expect(count.json["count"] as? Int == 1)
        let log = try await belfry.database.query(
          "SELECT channel, outcome FROM delivery_log WHERE user_id = \(ann.id.uuid) ORDER BY channel"
        )
        let outcomes = try log.map { "\(try $0.get(0, as: Int.self)) \(try $0.get(1, as: String.self))" }
        #expect(outcomes == ["1 delivered", "2 delivered", "2 delivered", "2 delivered", "3 delivered"])
      }
    }

    @Test func `reading a notification notifies the user's other connections`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        _ = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":12}"#).expect(202)
        try await eventually("it is in the inbox") {
          try await belfry.call("GET", "/api/v1/notifications/unread-count", token: ann.token).json["count"] as? Int
            == 1
        }
        let hub = try await HubClient.connect(.pysignalr, to: belfry, as: ann, count: 100)
        let list = try await belfry.call("GET", "/api/v1/notifications", token: ann.token).list("notifications")
        let id = try #require(list.first?["id"] as? String)
        let read = try await belfry.call("PATCH", "/api/v1/notifications/\(id)/read", token: ann.token).expect(200)
        #expect(read.json["isRead"] as? Bool == true)
        try await eventually("the connection is notified") { try hub.invocations().count == 2 }
        #expect(try hub.invocations().map(\.target) == ["NotificationRead", "UnreadCountChanged"])
        #expect(try hub.invocations().last?.arguments.first as? Int == 0)
      }
    }

    @Test func `a group's send leaves out who is excepted, and large groups are cut into parts`() async throws {
      try await TestStack.with { belfry in
        let group = "family:\(UUID().lowercased)"
        let members = (0..<2_500).map { _ in UserID(UUID()) }
        let list = members.map { "\"\($0)\"" }.joined(separator: ",")
        let token = try await belfry.serviceToken()
        _ = try await belfry.call("PUT", "/api/v1/groups/\(group)", token: token, body: "{\"members\":[\(list)]}")
          .expect(200)
        let request = #"{"to":{"group":"\#(group)","except":["\#(members[0])"]},"type":12}"#
        let answer = try await belfry.send(request).expect(202)
        let id = try #require(RequestID(answer.json["requestId"] as? String ?? ""))
        try await eventually("all members have it", within: .seconds(40)) {
          try await belfry.database.query("SELECT count(*) FROM notifications WHERE request_id = \(id.uuid)")
            .first?.get(0) == 2_499
        }
        let excepted = try await belfry.database.query(
          "SELECT 1 FROM notifications WHERE user_id = \(members[0].uuid)"
        )
        #expect(excepted.isEmpty)
        let wrong = try await belfry.database.query(
          "SELECT 1 FROM inbox WHERE unread <> 1 AND user_id = ANY (\(members.map(\.uuid)))"
        )
        #expect(wrong.isEmpty)
      }
    }

    @Test func `a stock AMQP client gets the same as REST, with and without a message id`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let body = #"{"to":{"users":["\#(ann.id)"]},"type":"AllowanceDeposit",\#(Self.data)}"#
        let keyed = ["--url", belfry.stack.rabbitmq.url, "--body", body, "--message-id", "order-1", "--times", "3"]
        #expect(try await CommandResult.python("Tests/Conformance/amqp_publish.py", keyed).status == 0)
        let anonymous = ["--url", belfry.stack.rabbitmq.url, "--body", body]
        #expect(try await CommandResult.python("Tests/Conformance/amqp_publish.py", anonymous).status == 0)
        try await eventually("both arrived") { try await belfry.pushes(to: ann.devices[0]).count >= 2 }
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        // The three with one message id are one notification; the one without is another.
        let count = try await belfry.call("GET", "/api/v1/notifications/unread-count", token: ann.token)
        #expect(count.json["count"] as? Int == 2)
        #expect(
          Set(try await belfry.pushes(to: ann.devices[0]).compactMap { $0["notificationId"] as? String }).count == 2
        )
      }
    }

    @Test func `the same idempotency key gives the same id and nothing new, another body is refused`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let body = #"{"to":{"users":["\#(ann.id)"]},"type":12}"#
        let key = UUID().uuidString
        let first = try await belfry.send(body, key: key).expect(202)
        let second = try await belfry.send(body, key: key).expect(202)
        #expect(first.json["requestId"] as? String == second.json["requestId"] as? String)
        let other = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":11}"#, key: key).expect(422)
        #expect(other.json["type"] as? String == "urn:belfry:problem:idempotency-key-reused")
        let foreign = try await belfry.send(body, key: key, subject: "another service").expect(202)
        #expect(foreign.json["requestId"] as? String != first.json["requestId"] as? String)
        try await eventually("both senders' requests arrived") {
          try await belfry.pushes(to: ann.devices[0]).count >= 2
        }
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        #expect(try await belfry.pushes(to: ann.devices[0]).count == 2)
      }
    }
  }
}
