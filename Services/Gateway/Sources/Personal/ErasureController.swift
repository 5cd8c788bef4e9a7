import Authentication
import Foundation
import Hummingbird
import Logging
import NotificationModel
import NotificationStore

/// Erases all that is kept about a user.
struct ErasureController {
  let erasures: ErasureStore
  let selfService: SelfService

  init(_ parts: GatewayDependencies) {
    erasures = ErasureStore(client: parts.database)
    selfService = SelfService(isAllowed: parts.personal.allowsErasing, action: "erase themselves")
  }

  var routes: [Route] {
    [
      .delete("me", .user, eraseMe),
      .delete("users/:id", .service(.directory), eraseUser),
    ]
  }

  func eraseMe(_ request: Request, context: GatewayContext) async throws -> Response {
    try await erase(try selfService.user(context), by: nil, "user.eraseSelf", context)
  }

  /// 204 as well for who is not known: something may be on its way.
  func eraseUser(_ request: Request, context: GatewayContext) async throws -> Response {
    try await erase(try context.identifier(), by: context.principal?.subject ?? "", "user.erase", context)
  }

  private func erase(
    _ user: UserID,
    by actor: String?,
    _ action: String,
    _ context: GatewayContext
  ) async throws -> Response {
    let counts = try await erasures.erase(
      user,
      by: actor,
      action: action,
      requestID: context.requestID
    )
    context.logger.notice("a user was erased", metadata: ["rows": "\(counts.deleted.values.reduce(0, +))"])
    return Response(status: .noContent)
  }
}
