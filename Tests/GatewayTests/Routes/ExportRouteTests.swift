import Authentication
import Foundation
import HTTPTypes
import Logging
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing
import Yams

@testable import Gateway

/// `GET` of all that is kept about a user, by others and by themselves.
@Suite struct ExportRouteTests {
  private static func fill(_ user: Caller, _ gateway: TestGateway) async throws {
    try await gateway.store(3, for: user.id)
    _ = try await gateway.call(
      .put,
      "/api/v1/users/\(user.id)",
      as: .service(),
      body: #"{"email":"ann@example.org","displayName":"Ann","locale":"en"}"#
    ).expect(.created)
    _ = try await gateway.call(
      .post,
      "/api/v1/devices",
      as: user,
      body: #"{"token":"a token of \#(user.id), long enough","platform":2,"deviceName":"Pixel"}"#
    ).expect(.ok)
    _ = try await gateway.call(.put, "/api/v1/notifications/muted/Goal/7", as: user).expect(.noContent)
  }

  /// Required members of a schema of the description.
  private static func required(_ schema: String) throws -> [String] {
    let yaml = String(decoding: APIDescription.openAPI, as: UTF8.self)
    let document = try #require(try Yams.load(yaml: yaml) as? [String: Any])
    let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
    return try #require(schemas[schema]?["required"] as? [String])
  }

  @Test func `users export what is kept about them, each member as it is described, and nobody else's`() async throws {
    try await TestGateway.with { gateway in
      let (ann, ben) = (try await Caller.user(), try await Caller.user())
      for user in [ann, ben] { try await Self.fill(user, gateway) }
      let answer = try await gateway.call(.get, "/api/v1/me/export", as: ann).expect(.ok)
      #expect(answer.headers[.contentType] == "application/json")
      #expect(answer.headers[.cacheControl] == "no-store")
      let export = try answer.json()
      #expect(Set(export.keys) == Set(try Self.required("UserExportDto")))
      #expect(export["userId"] as? String == ann.id.description)
      #expect(export["isComplete"] as? Bool == true)
      #expect(answer.text.hasSuffix(#","isComplete":true}"#))
      let profile = try #require(export["profile"] as? [String: Any])
      #expect(profile["displayName"] as? String == "Ann")
      for (member, schema, count) in [
        ("notifications", "ExportedNotificationDto", 3), ("devices", "ExportedDeviceDto", 1),
        ("muted", "MutedEntityDto", 1),
      ] {
        let list = try answer.list(member)
        #expect(list.count == count, "\(member)")
        for element in list { #expect(Set(element.keys) == Set(try Self.required(schema)), "\(member)") }
      }
      #expect(try answer.list("notifications").compactMap { $0["title"] as? String } == (1...3).map { "Number \($0)" })
      #expect(!answer.text.contains(ben.id.description))
      #expect(answer.text.contains("a token of"))
      // Nobody did it to her.
      #expect(try await AuditStore(client: gateway.database).page(before: nil, limit: 9).entries.isEmpty)
    }
  }

  @Test func `a service exports anybody, which the audit log says`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await Self.fill(ann, gateway)
      let callers = [(try await Caller.service(), "shop"), (try await Caller.service("ops", role: .admin), "ops")]
      for (caller, actor) in callers {
        let answer = try await gateway.call(.get, "/api/v1/users/\(ann.id)/export", as: caller).expect(.ok)
        #expect(try answer.list("notifications").count == 3)
        let line = try #require(
          try await AuditStore(client: gateway.database).page(before: nil, limit: 1).entries.first
        )
        #expect(line.action == "user.export" && line.actor == actor && line.subject == ann.id.description)
        #expect(line.requestID?.isEmpty == false)
        // What was done to her is hers to know; who did it is not.
        #expect(try answer.list("audit").last?["action"] as? String == "user.export")
        #expect(!answer.text.contains(actor))
      }
      let nobody = UserID(UUID())
      let empty = try await gateway.call(.get, "/api/v1/users/\(nobody)/export", as: .service()).expect(.ok)
      #expect(try empty.json()["profile"] is NSNull)
      #expect(empty.text.hasSuffix(#","isComplete":true}"#))
    }
  }

  @Test func `who asks for the head of an export is told what it would be, and neither reads nor leaves a line`()
    async throws
  {
    try await TestGateway.with { gateway in
      let path = "/api/v1/users/\(UserID(UUID()))/export"
      let head = try await gateway.call(.head, path, as: .service()).expect(.ok)
      #expect(head.body.isEmpty && head.headers[.contentType] == "application/json")
      #expect(head.headers[.cacheControl] == "no-store")
      #expect(try await AuditStore(client: gateway.database).page(before: nil, limit: 9).entries.isEmpty)
    }
    // Nothing is asked of the database.
    try await TestGateway.withoutDatabase { gateway in
      let path = "/api/v1/users/\(UserID(UUID()))/export"
      _ = try await gateway.call(.head, path, as: .service()).expect(.ok)
      _ = try await gateway.call(.head, path, as: .user()).expect(.forbidden)
    }
  }

  @Test func `users do not export others, nor themselves where the deployment says so`() async throws {
    try await TestGateway.with(personal: PersonalConfiguration(allowsExporting: false)) { gateway in
      let (ann, ben) = (try await Caller.user(), try await Caller.user())
      try await Self.fill(ben, gateway)
      for path in ["/api/v1/users/\(ben.id)/export", "/api/v1/users/\(ann.id)/export", "/api/v1/me/export"] {
        try await gateway.call(.get, path, as: ann).expectProblem("forbidden", .forbidden)
      }
      _ = try await gateway.call(.get, "/api/v1/users/\(ben.id)/export", as: .service()).expect(.ok)
    }
  }

  @Test func `without the database nothing is begun, and what fails later is cut off`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      for (path, caller) in [
        ("/api/v1/me/export", try await Caller.user()),
        ("/api/v1/users/\(UUID().lowercased)/export", try await Caller.service()),
      ] {
        try await gateway.call(.get, path, as: caller).expectProblem("unavailable", .serviceUnavailable)
      }
    }
    let log = LogRecorder()
    try await TestGateway.with(logger: log.logger) { gateway in
      let ann = try await Caller.user()
      _ = try await gateway.database.query("DROP TABLE engagement")
      await #expect(throws: PostgresError.self) { try await gateway.call(.get, "/api/v1/me/export", as: ann) }
    }
    #expect(log.all.contains { $0.level == .warning && $0.text.contains("an export was cut off") })
  }
}
