import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing
import UserIdentity

extension EndToEndTests {
  /// Somebody who goes by a text, through all of Belfry.
  @Suite(.serialized) struct UserIdentifierTests {
    @Test func `a person with any name is notified, found, exported and erased`() async throws {
      try await TestStack.with { belfry in
        let name = "shop/Käthe 7 \(UUID().uuidString.prefix(8))"
        let path = name.utf8.map { String(format: "%%%02X", $0) }.joined()
        let service = try await belfry.serviceToken()
        let id = UserID(try #require(UserIdentifier(name)).uuid)
        let kaethe = Person(id: id, token: try await belfry.token(named: name), email: "k@example.org")
        _ = try await belfry.call("PUT", "/api/v1/users/\(path)", token: service, body: #"{"displayName":"Käthe"}"#)
          .expect(201)
        let hub = try await HubClient.connect(.pysignalr, to: belfry, as: kaethe, count: 100)
        let body = #"{"to":{"users":["\#(name)"]},"type":12}"#
        _ = try await belfry.send(body).expect(202)
        let arguments = ["--url", belfry.stack.rabbitmq.url, "--body", body, "--message-id", "order of \(id)"]
        #expect(try await CommandResult.python("Tests/Conformance/amqp_publish.py", arguments).status == 0)
        try await eventually("both are on the screen") { try hub.notifications().count == 2 }
        let inbox = try await belfry.call("GET", "/api/v1/notifications", token: kaethe.token).expect(200)
        #expect(try inbox.list("notifications").count == 2)
        let group = "team of \(id)".replacingOccurrences(of: " ", with: "%20")
        _ = try await belfry.call("PUT", "/api/v1/groups/\(group)/members/\(path)", token: service).expect(204)
        let members = try await belfry.call("GET", "/api/v1/groups/\(group)", token: service).expect(200)
        #expect(members.json["members"] as? [String] == [name])
        let export = try await belfry.call("GET", "/api/v1/users/\(path)/export", token: service).expect(200)
        #expect(export.json["userId"] as? String == name)
        let explained = try await belfry.belfry(["explain", "history", name])
        #expect(explained.status == 0, "\(explained)")
        let audit = try await belfry.belfry(["audit"])
        #expect(audit.output.contains(name), "\(audit)")
        // Another id of the same UUID is nobody's.
        _ = try await belfry.send(#"{"to":{"users":["\#(id)"]},"type":12}"#).expect(409)
        _ = try await belfry.call("DELETE", "/api/v1/users/\(path)", token: service).expect(204)
        for table in ["user_identifiers", "users", "notifications", "group_members"] {
          let rows = try await belfry.database.query("SELECT 1 FROM \(unescaped: table) WHERE user_id = \(id.uuid)")
          #expect(rows.isEmpty, "\(table)")
        }
      }
    }
  }
}
