import Authentication
import Foundation
import HTTPTypes
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

  init(_ parts: GatewayDependencies) {
    catalogue = parts.catalogue
    acceptance = Acceptance(parts)
    idempotency = IdempotencyStore(client: parts.database)
    clock = parts.clock
  }

  var routes: [Route] {
    [
      .post("notifications", .service(.send), send)
    ]
  }

  func send(_ request: Request, context: GatewayContext) async throws -> Response {
    let body = try await RequestBody.bytes(of: request)
    let send = try FieldReader.read(SendRequest.self, from: body)
    let now = clock()
    let owner = context.principal?.subject ?? ""
    func judge() throws {
      try send.accept(in: catalogue)
      try send.checkTime(since: now)
    }
    guard let key = request.headers[.idempotencyKey] else {
      try judge()
      let id = NotificationModel.RequestID(now: now)
      try await acceptance.accept(send, body, id, of: owner)
      return .accepted(id, status: Acceptance.status(of: send, id))
    }
    let id = try await IdempotentAcceptance(idempotency: idempotency).accept(
      body,
      key: key,
      scope: "rest:\(owner)",
      now: now,
      logger: context.logger,
      judge: judge
    ) { id in
      try await acceptance.accept(send, body, id, of: owner)
    }
    return .accepted(id, status: Acceptance.status(of: send, id))
  }
}

extension HTTPField.Name {
  /// IETF draft "The Idempotency-Key HTTP Header Field".
  static let idempotencyKey: Self = {
    guard let name = Self("Idempotency-Key") else { preconditionFailure("a valid field name") }
    return name
  }()
}
