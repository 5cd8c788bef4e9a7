import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing

extension EndToEndTests {
  /// What an operator's catalogue says reaches people, also while only some of the services have it.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct CatalogueTests {
    private static let file = """
      version: 1
      defaults: { channels: { inApp: true, push: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
      types:
      - code: 900
        name: SmokeAlarm
        category: Household
        title: { en: "Smoke in {{room}}", de: "Rauch: {{room}}" }
        body: { en: "Since {{at|date}}", de: "Seit {{at|date}}" }
        quietHours: pierce
        sound: alarm.caf
        actions: [{ id: CALL, title: { en: Call, de: Anrufen } }]
      """

    /// The `message` of the only push to a person's device.
    private func push(to person: Person, _ belfry: TestStack) async throws -> [String: Any] {
      let pushes = try await belfry.pushes(to: person.devices[0])
      #expect(pushes.count == 1)
      return try #require(pushes.first?["message"] as? [String: Any])
    }

    private func setLocale(_ locale: String, of person: Person, _ belfry: TestStack) async throws {
      _ = try await belfry.call(
        "PUT",
        "/api/v1/users/\(person.id)",
        token: try await belfry.serviceToken(),
        body: #"{"locale":"\#(locale)","timezone":"Europe/Berlin"}"#
      ).expect(200)
    }

    /// A copy of a service that has the catalogue.
    private func withService(
      _ service: BelfryService,
      _ file: String,
      _ belfry: TestStack,
      _ body: (StackProcess) async throws -> Void
    ) async throws {
      let process = belfry.stack.extra(
        service,
        name: "\(service.rawValue)-of-the-next-catalogue",
        port: try FreePort.find(),
        variables: ["BELFRY_CATALOGUE_FILE": file]
      )
      do {
        try process.launch()
        try await process.waitUntilReady()
        try await body(process)
      } catch {
        await process.kill()
        throw error
      }
      #expect(await process.terminate() == 0, "\(process.logTail)")
    }

    @Test func `what a gateway with the next catalogue accepts waits for a router that has it, in everybody's words`()
      async throws
    {
      try await TestStack.with { belfry in
        let file = "\(belfry.stack.configuration.directory)/next-catalogue.yaml"
        try Data(Self.file.utf8).write(to: URL(filePath: file))
        let ann = try await belfry.makeUser(platforms: [.iOS])
        let bob = try await belfry.makeUser(platforms: [.android])
        try await setLocale("en-GB", of: ann, belfry)
        try await setLocale("de-AT", of: bob, belfry)
        let deadLettered = try await belfry.depth(of: "belfry.ingest.parked")
        try await withService(.gateway, file, belfry) { gateway in
          let body = #"""
            {"to":{"users":["\#(ann.id)","\#(bob.id)"]},"type":"SmokeAlarm","data":{"room":"7","at":"2026-11-22T23:30:00Z"}}
            """#
          let answer = try await belfry.call(
            "POST",
            "/api/v1/notifications",
            at: gateway.url,
            token: try await belfry.serviceToken(),
            body: body
          )
          _ = try answer.expect(202)
          try await eventually("it waits") { try await belfry.depth(of: "belfry.ingest.retry") == 1 }
          // What comes meanwhile does not.
          try await belfry.send(1, to: ann)
          try await eventually("another one arrives") { try await belfry.inbox(of: ann).count == 1 }
          // The push as well, or the simulator would have it only after it is reset.
          try await eventually("its push arrives") { try await belfry.pushes(to: ann.devices[0]).count == 1 }
          for router in belfry.stack.services(.router) { await router.terminate() }
          try await belfry.resetSimulator()
          try await withService(.router, file, belfry) { _ in
            try await eventually("both have it") {
              let (first, second) = (
                try await belfry.pushes(to: ann.devices[0]), try await belfry.pushes(to: bob.devices[0])
              )
              return !first.isEmpty && !second.isEmpty
            }
          }
          for router in belfry.stack.services(.router) { try await router.restart() }
          let list = try await belfry.call("GET", "/api/v1/notifications", at: gateway.url, token: bob.token).expect(
            200
          )
          let shown = try #require(try list.list("notifications").first)
          #expect(shown["title"] as? String == "Rauch: 7")
          #expect(shown["category"] as? String == "Household")
          #expect(shown["actions"] as? [[String: String]] == [["id": "CALL", "title": "Anrufen"]])
        }
        let english = try await push(to: ann, belfry)
        #expect(
          english["notification"] as? [String: String] == ["title": "Smoke in 7", "body": "Since 23 November 2026"]
        )
        let aps = ((english["apns"] as? [String: Any])?["payload"] as? [String: Any])?["aps"] as? [String: Any]
        #expect(aps?["interruption-level"] as? String == "time-sensitive")
        #expect(aps?["sound"] as? String == "alarm.caf")
        let german = try await push(to: bob, belfry)
        #expect(german["notification"] as? [String: String] == ["title": "Rauch: 7", "body": "Seit 23. November 2026"])
        #expect((german["android"] as? [String: Any])?["priority"] as? String == "HIGH")
        #expect(try await belfry.depth(of: "belfry.ingest.parked") == deadLettered)
      }
    }

    @Test func `everyone who has a profile is notified once`() async throws {
      try await TestStack.with { belfry in
        let people = [try await belfry.makeUser(), try await belfry.makeUser(), try await belfry.makeUser()]
        let body = #"{"to":{"everyone":true,"except":["\#(people[2].id)"]},"type":12}"#
        let answer = try await belfry.send(body).expect(202)
        let request = try #require(answer.json["requestId"] as? String)
        let profiles = try await belfry.database.query("SELECT count(*) FROM users").first?.get(0, as: Int.self) ?? 0
        try await eventually("all but one are notified") {
          let rows = try await belfry.database.query(
            "SELECT count(*) FROM notifications WHERE request_id = \(try #require(UUID(uuidString: request)))"
          )
          return try rows.first?.get(0) == profiles - 1
        }
        try await eventually("the pushes arrived") {
          let first = try await belfry.pushes(to: people[0].devices[0])
          return try await belfry.pushes(to: people[1].devices[0]).count == 1 && first.count == 1
        }
        #expect(try await belfry.inbox(of: people[2]).isEmpty)
      }
    }
  }
}
