import Foundation
import LocalStack
import NotificationModel
import NotificationQueue
import Postgres
import TestSupport
import Testing

extension EndToEndTests {
  /// Pushes over APNs, and the simulator that stands in for it.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct APNsTests {
    @Test func `aioapns takes the simulator for APNs`() async throws {
      try await TestStack.with { belfry in
        let directory = belfry.stack.simulatorDirectory
        let script = try ScriptProcess(
          "Tests/Conformance/aioapns_client.py",
          [
            "--keys", directory, "--authority", "\(directory)/ca.pem", "--production", "\(belfry.stack.apnsPort)",
            "--sandbox", "\(belfry.stack.apnsSandboxPort)", "--control", belfry.stack.simulator.url,
          ]
        )
        let status = await script.waitForExit(within: .seconds(100))
        let cases = try script.events("case")
        #expect(cases.count == 10, "\(script.output)")
        for each in cases { #expect(each["error"] is NSNull, "\(each["name"] ?? ""): \(each["error"] ?? "")") }
        #expect(status == 0, "\(script.output)")
      }
    }

    /// AllowanceTracker, real-time features for iOS, lines 420 to 431: members of `data` at top level, as texts.
    @Test func `a native token gets its push from APNs, with the data where the app reads it`() async throws {
      try await TestStack.with { belfry in
        let (ann, token) = try await person(belfry)
        let id = UUID().uuidString.lowercased()
        try await send(to: ann, data: #"{"transactionId":"\#(id)","count":3}"#, belfry)
        try await eventually("the push arrived") { try await !pushes(to: token, belfry).isEmpty }
        let push = try #require(try await pushes(to: token, belfry).first)
        #expect(push["environment"] as? String == "production")
        #expect(push["topic"] as? String == "com.example.belfry")
        let payload = try #require(push["payload"] as? [String: Any])
        #expect(payload["transactionId"] as? String == id)
        #expect(payload["count"] as? String == "3")
        #expect(
          (payload["aps"] as? [String: Any])?["alert"] as? [String: String] == ["title": "Hello", "body": "World"]
        )
        try await eventually("it is recorded as delivered") { try await outcomes(of: ann, belfry) == [1] }
      }
    }

    @Test func `a token of the sandbox is found out, and the next push goes there at once`() async throws {
      try await TestStack.with { belfry in
        let (ann, token) = try await person(belfry)
        let device = #"{"token":"\#(token)","environment":"sandbox"}"#
        _ = try await belfry.simulator("POST", "/api/apns/devices", body: device).expect(204)
        for count in 1...2 {
          try await send(to: ann, data: "{}", belfry)
          try await eventually("push \(count) arrived") { try await pushes(to: token, belfry).count == count }
          // Which is after the push has arrived.
          try await eventually("the environment is stored") {
            let rows = try await belfry.database.query("SELECT apns_environment FROM devices WHERE token = \(token)")
            return try rows.first?.get(0, as: String?.self) == "sandbox"
          }
        }
        #expect(try await pushes(to: token, belfry).allSatisfy { $0["environment"] as? String == "sandbox" })
        let attempts = try await belfry.simulator("GET", "/api/apns/summary").expect(200).json["attempts"]
        #expect((attempts as? [String: Int])?["400 BadDeviceToken"] == 1, "production was asked once")
      }
    }

    @Test func `a device that APNs has given up is deactivated`() async throws {
      try await TestStack.with { belfry in
        let (ann, token) = try await person(belfry)
        try await belfry.fault(#"{"match":{"channel":"apns","token":"\#(token)"},"effect":{"kind":"unregistered"}}"#)
        try await send(to: ann, data: "{}", belfry)
        try await eventually("the device is inactive") {
          let rows = try await belfry.database.query(
            "SELECT deactivation_reason FROM devices WHERE token = \(token) AND NOT active"
          )
          return try rows.first?.get(0) == "Unregistered"
        }
      }
    }

    @Test func `a dispatcher of APNs alone takes nothing of the other providers`() async throws {
      try await TestStack.with { belfry in
        // The stack's own, which may still connect: two that serve all.
        try await eventually("both work") { try await Array(Set(consumers(belfry).values)) == [2] }
        let port = try FreePort.find()
        let dispatcher = belfry.stack.extra(
          .push,
          name: "push-of-apns",
          port: port,
          variables: ["BELFRY_PUSH_PROVIDERS": "apns"]
        )
        do {
          try dispatcher.launch()
          try await dispatcher.waitUntilReady()
          try await eventually("it is one more for APNs alone") {
            try await consumers(belfry) == ["belfry.push": 2, "belfry.push.apns": 3, "belfry.push.webpush": 2]
          }
        } catch {
          await dispatcher.kill()
          throw error
        }
        #expect(await dispatcher.terminate() == 0, "\(dispatcher.logTail)")
      }
    }

    /// How many processes work from each provider's queue.
    private func consumers(_ belfry: TestStack) async throws -> [String: Int] {
      let text = try await belfry.stack.rabbitmq.control([
        "list_queues", "-q", "--no-table-headers", "name", "consumers",
      ])
      let counts = text.split(separator: "\n").reduce(into: [String: Int]()) { counts, line in
        let columns = line.split(separator: "\t")
        if columns.count == 2 { counts[String(columns[0])] = Int(columns[1]) }
      }
      let queues = DevicePlatform.Carrier.allCases.map { WorkQueue($0).name }
      return counts.filter { queues.contains($0.key) }
    }

    // MARK: People

    private func person(_ belfry: TestStack) async throws -> (Person, token: String) {
      let ann = try await belfry.makeUser(platforms: [])
      let token = (UUID().uuidString + UUID().uuidString).replacing("-", with: "").lowercased()
      _ = try await belfry.call(
        "POST",
        "/api/v1/notifications/device-token",
        token: ann.token,
        body: #"{"userId":"\#(ann.id)","token":"\#(token)","platform":"iOS"}"#
      ).expect(200)
      return (ann, token)
    }

    private func send(to person: Person, data: String, _ belfry: TestStack) async throws {
      let body = #"{"to":{"users":["\#(person.id)"]},"type":99,"title":"Hello","body":"World","data":\#(data)}"#
      _ = try await belfry.send(body).expect(202)
    }

    private func pushes(to token: String, _ belfry: TestStack) async throws -> [[String: Any]] {
      try await belfry.simulator("GET", "/api/apns?token=\(token)").expect(200).list("pushes")
    }

    private func outcomes(of person: Person, _ belfry: TestStack) async throws -> [Int] {
      try await belfry.database.query("SELECT outcome FROM deliveries WHERE user_id = \(person.id.uuid)")
        .map { try $0.get(0, as: Int.self) }
    }
  }
}
