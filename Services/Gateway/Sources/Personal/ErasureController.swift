import Authentication
import Foundation
import Hummingbird
import Logging
import NotificationModel
import NotificationStore
import UserIdentity

/// Erases all that is kept about a user.
struct ErasureController {
  let erasures: ErasureStore
  let selfService: SelfService
  let identities: UserIdentities

  init(_ dependencies: GatewayDependencies) {
    erasures = ErasureStore(client: dependencies.database)
    identities = dependencies.identities
    selfService = SelfService(isAllowed: dependencies.personal.allowsErasing, action: "erase themselves")
  }

  var routes: [Route] {
    [
      .delete("me", .user, eraseMe),
      .delete("users/:id", .service(.directory), eraseUser),
    ]
  }

  func eraseMe(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try selfService.user(context)
    return try await erase(context.principal?.user ?? UserIdentifier(user.uuid), by: nil, "user.eraseSelf", context)
  }

  /// 204 as well for who is not known: something may be on its way.
  func eraseUser(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try await identities.identifier(of: request, context)
    return try await erase(user, by: context.subject, "user.erase", context)
  }

  private func erase(
    _ user: UserIdentifier,
    by actor: String?,
    _ action: String,
    _ context: GatewayContext
  ) async throws -> Response {
    let counts = try await erasures.erase(
      UserID(user.uuid),
      called: user.text,
      by: actor,
      action: action,
      requestID: context.requestID
    )
    identities.store.forget(UserID(user.uuid))
    context.logger.notice("a user was erased", metadata: ["rows": "\(counts.deleted.values.reduce(0, +))"])
    return Response(status: .noContent)
  }
}
