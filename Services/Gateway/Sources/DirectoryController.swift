import Authentication
import Foundation
import Hummingbird
import JSON
import NotificationModel
import NotificationStore

/// Users and groups, as the backend keeps them.
struct DirectoryController {
  let users: UserStore
  let groups: GroupStore
  let clock: @Sendable () -> Date

  /// Members of a group, and the bytes that so many ids take.
  private static let maximumMembers = 200_000
  private static let maximumGroupBody = 10 * 1_024 * 1_024

  init(_ parts: GatewayParts) {
    users = UserStore(client: parts.database)
    groups = GroupStore(client: parts.database)
    clock = parts.clock
  }

  var routes: [Route] {
    [
      .put("users/:id", .service(.send), putUser),
      .put("groups/:id", .service(.send), putGroup),
    ]
  }

  func putUser(_ request: Request, context: GatewayContext) async throws -> Response {
    let user: UserID = try context.identifier()
    let input: PutUser = try await RequestBody.read(of: request)
    let (profile, isNew) = try await users.put(input.profile, of: user, at: clock())
    return .json(isNew ? .created : .ok) { writer in
      writer.object { writer in
        writer.field("id", user.description)
        writer.nullableField("email", profile.email)
        writer.nullableField("displayName", profile.displayName)
        writer.nullableField("locale", profile.locale)
        writer.nullableField("timezone", profile.timezone)
        writer.field("notificationsEnabled", profile.isEnabled ?? true)
      }
    }
  }

  func putGroup(_ request: Request, context: GatewayContext) async throws -> Response {
    let group = context.parameters.get("id")?.removingPercentEncoding ?? ""
    if group.isEmpty { throw Problem.invalid("id", "must not be empty") }
    if let excess = group.lengthProblem(limit: 128) { throw Problem.invalid("id", excess) }
    if group.hasControl() { throw Problem.invalid("id", "must not contain control characters") }
    let input: PutGroup = try await RequestBody.read(of: request, maximum: Self.maximumGroupBody)
    try await groups.replace(group, members: input.members)
    return .json { writer in
      writer.object { writer in
        writer.field("id", group)
        writer.field("memberCount", input.members.count)
      }
    }
  }

  struct PutUser: FieldReadable {
    let profile: UserStore.Profile

    init?(_ reader: FieldReader) {
      let email = reader.text("email", limit: 254)
      if let email, !MailAddress.isPlausible(email) {
        reader.problem("email", "expected an address such as ann@example.org")
      }
      profile = UserStore.Profile(
        email: email,
        displayName: reader.text("displayName", limit: 200),
        locale: reader.text("locale", limit: 35),
        timezone: reader.timezone("timezone"),
        isEnabled: reader.optional("notificationsEnabled", Bool.self, expected: "true or false")
      )
    }
  }

  struct PutGroup: FieldReadable {
    let members: [UserID]

    init?(_ reader: FieldReader) {
      if !reader.isPresent("members") { reader.problem("members", "is required") }
      members = reader.identifiers("members", limit: DirectoryController.maximumMembers) ?? []
    }
  }
}
