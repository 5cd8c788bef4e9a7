import Authentication
import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import UserIdentity

/// `POST /api/v1/notifications/test`: sends one person a text, to try things out.
struct TestController {
  let catalogue: Catalogue
  let acceptance: Acceptance
  let audit: AuditStore
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    catalogue = dependencies.catalogue
    acceptance = Acceptance(dependencies)
    audit = AuditStore(client: dependencies.database)
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .post("notifications/test", .admin, send)
    ]
  }

  func send(_ request: Request, context: GatewayContext) async throws -> Response {
    let test: SendTestNotification = try await RequestBody.read(of: request)
    // A send like any other from here on: what the recipient chose holds for it too.
    let body = test.send
    let send = try FieldReader.read(SendRequest.self, from: body, routing: catalogue.channels)
    try send.accept(in: catalogue)
    // Before the log has a UUID that may be another's.
    try await acceptance.identities.claim(send.contestedUsers, asked: clock())
    let id = NotificationModel.RequestID(now: clock())
    let detail = [JSONMember("requestId", id.description)]
    try await audit.write("send.test", of: UserID(test.user.uuid), detail: detail, by: context)
    try await acceptance.accept(send, body, id, of: context.owner)
    return .accepted(id)
  }
}

/// `SendTestNotificationDto`: four members, none of which may be left out; a member of any other name is refused.
struct SendTestNotification: FieldReadable {
  let user: UserIdentifier
  /// A code or a name, as it came.
  private let type: JSONValue
  private let title: String
  private let body: String

  init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: ["userId", "type", "title", "body"])
    let user = reader.requiredUser("userId")
    // What it must be, reading the send finds.
    if !reader.isPresent("type") { reader.problem("type", "is required") }
    let title = reader.requiredText("title", limit: 200)
    var body = reader.required("body", String.self, expected: "a string")
    if body?.isEmpty == true { reader.problem("body", "must not be empty") }
    if body != nil { body = reader.text("body", limit: 4_000, allowsLineBreaks: true) }
    guard let user, let type = reader.json["type"], let title, let body else { return nil }
    (self.user, self.type, self.title, self.body) = (user, type, title, body)
  }

  /// The same as a send.
  var send: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.object("to") { writer in
        writer.array("users") { $0.string(user.description) }
      }
      writer.key("type")
      writer.value(type)
      writer.field("title", title)
      writer.field("body", body)
    }
    return writer.bytes
  }
}
