import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

extension EndToEndTests {
  /// Sends to topics of FCM and to conditions, through all services and the simulator.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct TopicTests {
    @Test func `a send to a topic is one push of FCM, and its sender sees what became of it`() async throws {
      try await TestStack.with { belfry in
        let topic = "news-\(UUID().lowercased)"
        let id = try await send(#"{"topic":"\#(topic)"}"#, belfry)
        try await eventually("the push arrived") { try await !pushes("topic", topic, belfry).isEmpty }
        let message = try #require(try await pushes("topic", topic, belfry).first?["message"] as? [String: Any])
        #expect(message["notification"] as? [String: String] == ["title": "Hello", "body": "World"])
        #expect((message["data"] as? [String: String])?["article"] == "7")
        let delivery = try await delivery(of: id, belfry)
        #expect(delivery["audience"] as? String == "topic" && delivery["target"] as? String == topic)
        #expect(delivery["attempts"] as? Int == 1)
        #expect((delivery["providerId"] as? String)?.contains("/messages/") == true)
        #expect(try await pushes("topic", topic, belfry).count == 1)
      }
    }

    @Test func `a condition reaches FCM as it was written`() async throws {
      try await TestStack.with { belfry in
        let name = UUID().lowercased
        let condition = "'\(name)' in topics && ('b' in topics || 'c' in topics)"
        let id = try await send(#"{"condition":"\#(condition)"}"#, belfry)
        let delivery = try await delivery(of: id, belfry)
        #expect(delivery["audience"] as? String == "condition" && delivery["target"] as? String == condition)
        let query = try #require(condition.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        #expect(try await pushes("condition", query, belfry).count == 1)
      }
    }

    @Test func `the quota of a topic holds that topic back, and no other`() async throws {
      try await TestStack.with { belfry in
        let (slow, quick) = ("slow-\(UUID().lowercased)", "quick-\(UUID().lowercased)")
        try await belfry.fault(
          #"{"match":{"token":"\#(slow)"},"effect":{"kind":"quota","scope":"topic","retryAfter":10},"times":1}"#
        )
        let held = try await send(#"{"topic":"\#(slow)"}"#, belfry)
        let free = try await send(#"{"topic":"\#(quick)"}"#, belfry)
        #expect(try await delivery(of: free, belfry)["outcome"] as? String == "delivered")
        let delivery = try await delivery(of: held, belfry)
        #expect(delivery["attempts"] as? Int == 1, "no attempt is counted for a quota")
      }
    }

    // MARK: Subscriptions

    @Test func `a person's devices are subscribed at FCM, come what may, and end with the person's wish`() async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [.android, .iOS])
        let topic = "news-\(UUID().lowercased)"
        // One is refused for a moment, the other was subscribed by somebody else.
        try await belfry.fault(
          #"{"match":{"channel":"topic","token":"\#(ann.devices[0])"},"effect":{"kind":"unavailable"},"times":1}"#
        )
        try await put(topic, "users/\(ann.id)", belfry)
        try await eventually("both are subscribed", within: .seconds(60)) {
          try await registrations(topic, belfry) == Set(ann.devices)
        }
        let later = "token-\(UUID().lowercased)"
        let body = #"{"token":"\#(later)","platform":2,"deviceName":"tablet"}"#
        _ = try await belfry.call("POST", "/api/v1/devices", token: ann.token, body: body).expect(200)
        try await eventually("so is a later one") {
          try await registrations(topic, belfry) == Set(ann.devices + [later])
        }
        _ = try await belfry.call(
          "DELETE",
          "/api/v1/devices/current",
          token: ann.token,
          headers: [(name: "X-Device-Token", value: later)]
        ).expect(204)
        try await eventually("who logs out is not") { try await registrations(topic, belfry) == Set(ann.devices) }
        let token = try await belfry.serviceToken()
        _ = try await belfry.call("DELETE", "/api/v1/topics/\(topic)/users/\(ann.id)", token: token).expect(204)
        try await eventually("nobody is") { try await registrations(topic, belfry).isEmpty }
      }
    }

    @Test func `one device is subscribed, and who is erased is not any more`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [.android, .web])
        let topic = "offers-\(UUID().lowercased)"
        let devices = try await belfry.call("GET", "/api/v1/devices", token: ann.token).expect(200)
        let list = try #require(try JSONSerialization.jsonObject(with: Data(devices.body)) as? [[String: Any]])
        let phone = try #require(list.first { $0["deviceName"] as? String == "phone 2" }?["id"] as? String)
        try await put(topic, "devices/\(phone)", belfry)
        try await eventually("the phone is subscribed") {
          try await registrations(topic, belfry) == [ann.devices[0]]
        }
        let token = try await belfry.serviceToken()
        _ = try await belfry.call("DELETE", "/api/v1/users/\(ann.id)", token: token).expect(204)
        try await eventually("FCM has forgotten it") { try await registrations(topic, belfry).isEmpty }
      }
    }

    private func put(_ topic: String, _ target: String, _ belfry: TestStack) async throws {
      let token = try await belfry.serviceToken()
      _ = try await belfry.call("PUT", "/api/v1/topics/\(topic)/\(target)", token: token).expect(204)
    }

    private func registrations(_ topic: String, _ belfry: TestStack) async throws -> Set<String> {
      let found = try await belfry.simulator("GET", "/api/subscriptions?topic=\(topic)").expect(200)
        .list("subscriptions")
      return Set(found.compactMap { $0["registration"] as? String })
    }

    // MARK: Sending and looking

    private func send(_ to: String, _ belfry: TestStack) async throws -> String {
      let body = #"{"to":\#(to),"type":99,"title":"Hello","body":"World","data":{"article":"7"}}"#
      return try #require(try await belfry.send(body).expect(202).json["requestId"] as? String)
    }

    private func pushes(_ filter: String, _ value: String, _ belfry: TestStack) async throws -> [[String: Any]] {
      try await belfry.simulator("GET", "/api/pushes?\(filter)=\(value)").expect(200).list("pushes")
    }

    /// Once it has an outcome.
    private func delivery(of request: String, _ belfry: TestStack) async throws -> [String: Any] {
      let token = try await belfry.serviceToken()
      func current() async throws -> [String: Any]? {
        try await belfry.call("GET", "/api/v1/requests/\(request)", token: token).json["topicDelivery"]
          as? [String: Any]
      }
      try await eventually("it is delivered", within: .seconds(60)) {
        try await current()?["outcome"] as? String == "delivered"
      }
      return try #require(try await current())
    }
  }
}
