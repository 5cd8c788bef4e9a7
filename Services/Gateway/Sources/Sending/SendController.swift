import Authentication
import Foundation
import Hummingbird
import NotificationModel
import NotificationStore

/// `POST /api/v1/notifications`: takes a send request, and answers 202 once the broker has confirmed it, or the database if
/// it is for later.
struct SendController {
  let catalogue: Catalogue
  let acceptance: Acceptance
  let idempotency: IdempotencyStore
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    catalogue = dependencies.catalogue
    acceptance = Acceptance(dependencies)
    idempotency = IdempotencyStore(client: dependencies.database)
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .post("notifications", .service(.send), send)
    ]
  }

  func send(_ request: Request, context: GatewayContext) async throws -> Response {
    let body = try await RequestBody.bytes(of: request)
    let send = try FieldReader.read(SendRequest.self, from: body, routing: catalogue.channels)
    let now = clock()
    // Before its key stands for anything.
    try await acceptance.identities.check(send.contestedUsers)
    let id = try await IdempotentAcceptance(idempotency: idempotency).accept(
      body,
      under: IdempotencyKey(request, scope: "rest:\(context.subject)"),
      now: now,
      logger: context.logger
    ) {
      try send.accept(in: catalogue)
      try send.checkTime(since: now)
    } store: { id in
      try await acceptance.accept(send, body, id, of: context.owner)
    }
    return .accepted(id, status: Acceptance.status(of: send, id))
  }
}
