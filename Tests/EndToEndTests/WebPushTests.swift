import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing

extension EndToEndTests {
  /// Pushes to browsers, and the simulator that stands in for their push service.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct WebPushTests {
    @Test func `pywebpush takes the simulator for a push service`() async throws {
      try await TestStack.with { belfry in
        let directory = belfry.stack.simulatorDirectory
        let script = try ScriptProcess(
          "Tests/Conformance/pywebpush_client.py",
          ["--authority", "\(directory)/ca.pem", "--control", belfry.stack.simulator.url]
        )
        let status = await script.waitForExit(within: .seconds(100))
        let cases = try script.events("case")
        #expect(cases.count == 9, "\(script.output)")
        for each in cases { #expect(each["error"] is NSNull, "\(each["name"] ?? ""): \(each["error"] ?? "")") }
        #expect(status == 0, "\(script.output)")
      }
    }

    @Test func `a browser that subscribed with the gateway's key reads what it is sent`() async throws {
      try await TestStack.with { belfry in
        let (ann, endpoint) = try await person(belfry)
        try await send(to: ann, data: #"{"count":3}"#, belfry)
        try await eventually("the push arrived") { try await !pushes(to: endpoint, belfry).isEmpty }
        let push = try #require(try await pushes(to: endpoint, belfry).first)
        #expect(push["isReadable"] as? Bool == true)
        #expect(push["subject"] as? String == "mailto:belfry@example.com")
        let message = try #require(push["message"] as? [String: Any])
        #expect(message["web_push"] as? Int == 8_030)
        let shown = try #require(message["notification"] as? [String: Any])
        #expect(shown["title"] as? String == "Hello")
        #expect(shown["body"] as? String == "World")
        let data = try #require(shown["data"] as? [String: String])
        #expect(data["count"] == "3")
        #expect(data["notificationId"] == push["notificationId"] as? String)
        try await eventually("it is recorded as delivered") { try await outcomes(of: ann, belfry) == [1] }
      }
    }

    @Test func `a browser's worker reports by the push's receipt, and statistics count what it displayed once`()
      async throws
    {
      try await TestStack.with { belfry in
        let (ann, endpoint) = try await person(belfry)
        try await send(to: ann, data: "{}", belfry)
        try await eventually("the push arrived") { try await !pushes(to: endpoint, belfry).isEmpty }
        let message = try #require(try await pushes(to: endpoint, belfry).first?["message"] as? [String: Any])
        let data = (message["notification"] as? [String: Any])?["data"] as? [String: String]
        let receipt = try #require(data?["receipt"])
        let before = try await displayed(belfry)
        for event in ["displayed", "displayed", "opened"] {
          _ = try await belfry.call("POST", "/api/v1/receipts/\(receipt)", body: #"{"event":"\#(event)"}"#).expect(204)
        }
        let noted = try await belfry.database.query(
          "SELECT action FROM engagement WHERE user_id = \(ann.id.uuid) ORDER BY action"
        ).map { try $0.get(0, as: String.self) }
        #expect(noted.count == 2 && noted[0].hasPrefix("(displayed:") && noted[1] == "(opened)")
        #expect(try await displayed(belfry) == before + 1)
      }
    }

    @Test func `a browser that has unsubscribed is deactivated`() async throws {
      try await TestStack.with { belfry in
        let (ann, endpoint) = try await person(belfry)
        _ = try await belfry.simulator("DELETE", "/api/webpush/subscriptions?endpoint=\(endpoint)").expect(204)
        try await send(to: ann, data: "{}", belfry)
        try await eventually("the device is inactive") {
          let rows = try await belfry.database.query(
            "SELECT deactivation_reason FROM devices WHERE token = \(endpoint) AND NOT active"
          )
          return try rows.first?.get(0) == "HTTP 410"
        }
      }
    }

    @Test func `a push service whose answer is lost gets the push again, under the same topic`() async throws {
      try await TestStack.with { belfry in
        let (ann, endpoint) = try await person(belfry)
        try await belfry.fault(
          #"{"match":{"channel":"webpush","token":"\#(endpoint)"},"effect":{"kind":"reset","accepts":true},"times":1}"#
        )
        try await send(to: ann, data: "{}", belfry)
        try await eventually("it arrived twice", within: .seconds(60)) {
          try await pushes(to: endpoint, belfry).count == 2
        }
        let topics = Set(try await pushes(to: endpoint, belfry).compactMap { $0["topic"] as? String })
        #expect(topics.count == 1, "the second takes the place of the first")
        try await eventually("it is recorded as delivered") { try await outcomes(of: ann, belfry) == [1] }
      }
    }

    // MARK: People

    private func person(_ belfry: TestStack) async throws -> (Person, endpoint: String) {
      let ann = try await belfry.makeUser(platforms: [])
      let key = try await belfry.call("GET", "/api/v1/push-subscriptions/key", token: ann.token).expect(200).json
      let subscription = try await belfry.simulator(
        "POST",
        "/api/webpush/subscriptions",
        body: #"{"applicationServerKey":"\#(key["publicKey"] as? String ?? "")"}"#
      ).expect(201)
      let endpoint = try #require(subscription.json["endpoint"] as? String)
      let body = String(decoding: try JSONSerialization.data(withJSONObject: subscription.json), as: UTF8.self)
      _ = try await belfry.call("POST", "/api/v1/push-subscriptions", token: ann.token, body: body).expect(200)
      return (ann, endpoint)
    }

    private func send(to person: Person, data: String, _ belfry: TestStack) async throws {
      let body = #"{"to":{"users":["\#(person.id)"]},"type":99,"title":"Hello","body":"World","data":\#(data)}"#
      _ = try await belfry.send(body).expect(202)
    }

    private func pushes(to endpoint: String, _ belfry: TestStack) async throws -> [[String: Any]] {
      try await belfry.simulator("GET", "/api/webpush?endpoint=\(endpoint)").expect(200).list("pushes")
    }

    /// By the statistics; nobody else here reports that.
    private func displayed(_ belfry: TestStack) async throws -> Int {
      let rows = try await belfry.database.query("SELECT coalesce(sum(displayed), 0)::int8 FROM stats")
      return try #require(rows.first).get(0)
    }

    private func outcomes(of person: Person, _ belfry: TestStack) async throws -> [Int] {
      try await belfry.database.query("SELECT outcome FROM deliveries WHERE user_id = \(person.id.uuid)")
        .map { try $0.get(0, as: Int.self) }
    }
  }
}
