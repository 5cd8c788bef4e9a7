import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing

extension EndToEndTests {
  @Suite(.serialized) struct ErasureTests {
    private static let count = 20

    private func rows(of person: Person, in table: String, _ belfry: TestStack) async throws -> Int {
      try await belfry.database.query(
        "SELECT count(*) FROM \(unescaped: table) WHERE user_id = \(person.id.uuid)"
      ).first?.get(0) ?? 0
    }

    @Test func `of what lies in the queues when its user is erased nothing arrives, and all that is others' does`()
      async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(email: true)
        let ben = try await belfry.makeUser(email: true)
        let dispatchers = belfry.stack.services(.push) + belfry.stack.services(.email)
        for dispatcher in dispatchers { await dispatcher.kill() }
        for _ in 0..<Self.count {
          _ = try await belfry.send(
            #"{"to":{"users":["\#(ann.id)","\#(ben.id)"]},"type":10,"data":{"amount":"$1","balance":"$2"}}"#
          ).expect(202)
        }
        try await eventually("all is routed") {
          let depths = try await belfry.depths()
          let stored = try await rows(of: ann, in: "notifications", belfry)
          return stored == Self.count && depths["belfry.ingest"] == 0 && depths["belfry.push", default: 0] > 0
            && depths["belfry.email", default: 0] > 0
        }
        _ = try await belfry.call("DELETE", "/api/v1/users/\(ann.id)", token: belfry.serviceToken()).expect(204)
        for dispatcher in dispatchers { try await dispatcher.restart() }
        try await eventually("the other one has everything", within: .seconds(60)) {
          let pushes = try await belfry.pushes(to: ben.devices[0]).count
          let mails = try await belfry.mails(to: ben.email).count
          return pushes == Self.count && mails == Self.count
        }
        try await eventually("nothing is in flight", within: .seconds(60)) { try await belfry.backlog() == 0 }
        #expect(try await belfry.pushes(to: ann.devices[0]).isEmpty)
        #expect(try await belfry.mails(to: ann.email).isEmpty)
        for table in ["notifications", "deliveries", "inbox", "devices", "users", "held"] {
          #expect(try await rows(of: ann, in: table, belfry) == 0, "\(table)")
        }
        let list = try await belfry.call("GET", "/api/v1/notifications", token: ann.token).expect(200)
        #expect(try list.list("notifications").isEmpty)
      }
    }
  }
}
