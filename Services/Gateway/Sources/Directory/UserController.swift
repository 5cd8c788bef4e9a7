import Authentication
import Foundation
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import UserIdentity

/// `/api/v1/users/{id}`: profiles, as the backend keeps them.
struct UserController {
  let users: UserStore
  let identities: UserIdentities
  let channels: [any RoutingChannel]
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    channels = dependencies.channels
    users = UserStore(client: dependencies.database, channels: channels)
    identities = dependencies.identities
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("users/:id", .service(.read), get),
      .put("users/:id", .service(.directory), put),
      .patch("users/:id", .service(.directory), patch),
    ]
  }

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try await identities.identifier(of: request, context)
    guard let profile = try await users.profile(of: UserID(user.uuid)) else { throw Problem.notFound }
    return try Precondition(request).answer(representation(profile, of: user))
  }

  func put(_ request: Request, context: GatewayContext) async throws -> Response {
    let asked = clock()
    let input: PutUser = try await RequestBody.read(of: request, routing: channels)
    let precondition = Precondition(request)
    let user = try await identities.identifier(of: request, context, asked: asked) { user in
      guard precondition.isPresent else { return }
      // What is refused makes nobody known.
      try precondition.check(try await users.profile(of: UserID(user.uuid)).map { representation($0, of: user).tag })
    }
    let (profile, isNew) = try await users.put(input.profile, of: UserID(user.uuid), at: asked) { former in
      if precondition.isPresent { try precondition.check(former.map { representation($0, of: user).tag }) }
    }
    return representation(profile, of: user).response(isNew ? .created : .ok)
  }

  func patch(_ request: Request, context: GatewayContext) async throws -> Response {
    let asked = clock()
    let input: PatchUser = try await RequestBody.read(of: request, routing: channels)
    let user = try await identities.identifier(of: request, context, asked: asked)
    let precondition = Precondition(request)
    let profile = try await users.change(of: UserID(user.uuid), at: asked) { former in
      if precondition.isPresent { try precondition.check(representation(former, of: user).tag) }
      var profile = former
      input.apply(to: &profile)
      return profile
    }
    guard let profile else { throw Problem.notFound }
    return representation(profile, of: user).response()
  }

  private func representation(_ profile: UserStore.Profile, of user: UserIdentifier) -> Representation {
    Representation { writer in
      writer.object { writer in
        writer.field("id", user.description)
        for routing in channels {
          guard let field = routing.address else { continue }
          writer.members([JSONMember(field.member, profile.addresses[routing.channel])])
        }
        writer.nullableField("displayName", profile.displayName)
        writer.nullableField("locale", profile.locale)
        writer.nullableField("timezone", profile.timezone)
        writer.field("notificationsEnabled", profile.isEnabled ?? true)
      }
    }
  }
}
