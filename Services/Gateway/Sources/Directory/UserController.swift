import Authentication
import Foundation
import Hummingbird
import JSON
import NotificationModel
import NotificationStore

/// `/api/v1/users/{id}`: profiles, as the backend keeps them.
struct UserController {
  let users: UserStore
  let clock: @Sendable () -> Date

  init(_ parts: GatewayDependencies) {
    users = UserStore(client: parts.database)
    clock = parts.clock
  }

  var routes: [Route] {
    [
      .get("users/:id", .service(.read), get),
      .put("users/:id", .service(.directory), put),
      .patch("users/:id", .service(.directory), patch),
    ]
  }

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    let user: UserID = try context.identifier()
    guard let profile = try await users.profile(of: user) else { throw Problem.notFound }
    return try Precondition(request).answer(representation(profile, of: user))
  }

  func put(_ request: Request, context: GatewayContext) async throws -> Response {
    let (user, asked): (UserID, Date) = (try context.identifier(), clock())
    let input: PutUser = try await RequestBody.read(of: request)
    let precondition = Precondition(request)
    let (profile, isNew) = try await users.put(input.profile, of: user, at: asked) { former in
      if precondition.isPresent { try precondition.check(former.map { representation($0, of: user).tag }) }
    }
    return representation(profile, of: user).response(isNew ? .created : .ok)
  }

  func patch(_ request: Request, context: GatewayContext) async throws -> Response {
    let (user, asked): (UserID, Date) = (try context.identifier(), clock())
    let input: PatchUser = try await RequestBody.read(of: request)
    let precondition = Precondition(request)
    let profile = try await users.change(of: user, at: asked) { former in
      if precondition.isPresent { try precondition.check(representation(former, of: user).tag) }
      var profile = former
      input.apply(to: &profile)
      return profile
    }
    guard let profile else { throw Problem.notFound }
    return representation(profile, of: user).response()
  }

  private func representation(_ profile: UserStore.Profile, of user: UserID) -> Representation {
    Representation { writer in
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
}
