import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing
import Transport

extension EndToEndTests {
  /// Nothing is lost and nothing doubles, whatever dies.
  @Suite(.serialized) struct CrashTests {
    @Test func `services killed again and again under thousands of sends lose and double nothing`() async throws {
      try await TestStack.with { belfry in
        let load = try await Load(belfry, people: 40, count: TestScope.rounds(of: 5_000))
        async let sending = load.run()
        for _ in 0..<TestScope.rounds(of: 4) {
          for service in [BelfryService.router, .push, .inapp] {
            for process in belfry.stack.services(service) {
              await process.kill()
              try await process.restart()
            }
          }
        }
        try await load.check(try await sending)
      }
    }

    @Test func `RabbitMQ and PostgreSQL killed under load lose and double nothing`() async throws {
      try await TestStack.with { belfry in
        let load = try await Load(belfry, people: 40, count: TestScope.rounds(of: 5_000))
        async let sending = load.run()
        for _ in 0..<TestScope.rounds(of: 2) {
          await belfry.stack.rabbitmq.kill()
          try await belfry.stack.rabbitmq.restart()
          await belfry.stack.postgres.kill()
          try await belfry.stack.postgres.restart()
        }
        try await load.check(try await sending)
      }
    }

    @Test func `SIGTERM under load ends each service with 0 in time, loses nothing and counts no attempt`() async throws
    {
      try await TestStack.with { belfry in
        let load = try await Load(belfry, people: 20, count: 2_000)
        async let sending = load.run()
        for service in [BelfryService.router, .push, .inapp, .email] {
          for process in belfry.stack.services(service) {
            let status = await process.terminate(within: .seconds(30))
            #expect(status == 0, "\(process.name): \(process.logTail)")
            try await process.restart()
          }
        }
        try await load.check(try await sending)
        let repeated = try await belfry.database.query(
          "SELECT count(*) FROM deliveries WHERE user_id = ANY (\(load.people.map(\.id.uuid))) AND attempts <> 1"
        )
        #expect(try repeated.first?.get(0) == 0)
      }
    }

    @Test func `what only the operator can mend shows in the router's readiness, and loses nothing`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        func readiness() async throws -> [Answer] {
          var answers: [Answer] = []
          for router in belfry.stack.services(.router) {
            let request = HTTPRequest(method: "GET", url: "http://127.0.0.1:\(router.port)/health/ready", headers: [])
            answers.append(Answer(try await belfry.http.send(request)))
          }
          return answers
        }
        _ = try await belfry.database.query("ALTER TABLE inbox RENAME TO elsewhere")
        do {
          _ = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":12}"#).expect(202)
          try await eventually("a router says what is in its way") {
            try await readiness().contains { $0.status == 503 && $0.text.contains("database: schema") }
          }
        } catch {
          _ = try await belfry.database.query("ALTER TABLE elsewhere RENAME TO inbox")
          throw error
        }
        _ = try await belfry.database.query("ALTER TABLE elsewhere RENAME TO inbox")
        try await eventually("all routers are ready") { try await readiness().allSatisfy { $0.status == 200 } }
        try await eventually("it is in the inbox") { try await belfry.inbox(of: ann).count == 1 }
      }
    }

    @Test func `an alarm of the broker is a 503 with Retry-After, and passes by itself`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let body = #"{"to":{"users":["\#(ann.id)"]},"type":12}"#
        try await belfry.stack.rabbitmq.setMemoryAlarm(true)
        try await eventually("sends are refused") {
          let answer = try await belfry.send(body)
          guard answer.status == 503 else { return false }
          #expect(answer.response.headers.first("retry-after") != nil)
          #expect(answer.json["type"] as? String == "urn:belfry:problem:unavailable")
          return true
        }
        let ready = try await belfry.call("GET", "/health/ready").expect(503)
        #expect(ready.text.contains("publisher"))
        try await belfry.stack.rabbitmq.setMemoryAlarm(false)
        try await eventually("sends are accepted again") { try await belfry.send(body).status == 202 }
        _ = try await belfry.call("GET", "/health/ready").expect(200)
      }
    }
  }
}
