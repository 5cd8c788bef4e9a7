import Authentication
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NotificationModel
import NotificationStore

/// Answers all that is kept about a user, as it is read.
struct ExportController {
  let exports: ExportStore
  let audit: AuditStore
  let selfService: SelfService
  let identities: UserIdentities
  private let turns: ExportLimiter
  let clock: @Sendable () -> Date

  private static let headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]

  init(_ dependencies: GatewayDependencies) {
    exports = ExportStore(client: dependencies.database, catalogue: dependencies.catalogue)
    audit = AuditStore(client: dependencies.database)
    identities = dependencies.identities
    turns = dependencies.exports
    selfService = SelfService(
      isAllowed: dependencies.personal.allowsExporting,
      action: "export what is kept about them"
    )
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("me/export", .user, exportMe),
      .get("users/:id/export", .service(.directory), exportUser),
    ]
  }

  func exportMe(_ request: Request, context: GatewayContext) async throws -> Response {
    try await export(try selfService.user(context), for: .user, context)
  }

  /// The audit log has it before anything is sent: also what is cut off has sent some of it.
  func exportUser(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try await identities.user(of: request, context)
    // Who asks for the head alone is sent nothing.
    guard request.method != .head else {
      let nothing = ResponseBody { writer in try await writer.finish(nil) }
      return Response(status: .ok, headers: Self.headers, body: nothing)
    }
    try await audit.write("user.export", subject: user.description, by: context)
    return try await export(user, for: .service, context)
  }

  private func export(
    _ user: UserID,
    for asker: ExportLimiter.Asker,
    _ context: GatewayContext
  ) async throws -> Response {
    guard let turn = turns.begin(user, for: asker) else {
      throw Problem.unavailable("too many exports at once", retryAfter: 10)
    }
    let begun = try await exports.begin(user, at: clock())
    let logger = context.logger
    // Its length is not known, so a client sees that it was cut off: the last chunk is missing.
    return Response(
      status: .ok,
      headers: Self.headers,
      body: ResponseBody { writer in
        defer { withExtendedLifetime(turn) {} }
        do {
          var export = begun
          while let piece = try await export.next() { try await writer.write(ByteBuffer(bytes: piece)) }
        } catch {
          logger.warning("an export was cut off", metadata: ["error": "\(error)"])
          throw error
        }
        try await writer.finish(nil)
      }
    )
  }
}
