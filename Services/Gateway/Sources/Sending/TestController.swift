import Authentication
import Foundation
import Hummingbird
import JSON
import NotificationModel
import NotificationStore

/// `POST /api/v1/notifications/test`: sends one person a text, to try things out.
struct TestController {
  let catalogue: Catalogue
  let acceptance: Acceptance
  let audit: AuditStore
  let clock: @Sendable () -> Date

  init(_ parts: GatewayDependencies) {
    catalogue = parts.catalogue
    acceptance = Acceptance(parts)
    audit = AuditStore(client: parts.database)
    clock = parts.clock
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
    let send = try FieldReader.read(SendRequest.self, from: body)
    try send.accept(in: catalogue)
    let id = NotificationModel.RequestID(now: clock())
    let detail = [JSONMember("requestId", id.description)]
    try await audit.write("send.test", of: test.userID, detail: detail, by: context)
    try await acceptance.accept(send, body, id, of: context.principal?.subject ?? "")
    return .accepted(id)
  }
}

/// `SendTestNotificationDto`: four members, none of which may be left out; a member of any other name is refused.
struct SendTestNotification: FieldReadable {
  let userID: UserID
  /// A code or a name, as it came.
  private let type: JSONValue
  private let title: String
  private let body: String

  init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: ["userId", "type", "title", "body"])
    let text = reader.required("userId", String.self, expected: "a UUID")
    let userID = text.flatMap { UserID($0) }
    if text != nil, userID == nil { reader.problem("userId", "expected a UUID") }
    // What it must be, reading the send finds.
    if !reader.isPresent("type") { reader.problem("type", "is required") }
    let title = reader.requiredText("title", limit: 200)
    var body = reader.required("body", String.self, expected: "a string")
    if body?.isEmpty == true { reader.problem("body", "must not be empty") }
    if body != nil { body = reader.text("body", limit: 4_000, allowsLineBreaks: true) }
    guard let userID, let type = reader.json["type"], let title, let body else { return nil }
    (self.userID, self.type, self.title, self.body) = (userID, type, title, body)
  }

  /// The same as a send.
  var send: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.object("to") { writer in
        writer.array("users") { $0.string(userID.description) }
      }
      writer.key("type")
      writer.value(type)
      writer.field("title", title)
      writer.field("body", body)
    }
    return writer.bytes
  }
}
