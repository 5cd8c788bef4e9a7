import Authentication
import Broker
import Foundation
import HTTPTypes
import Hummingbird
import NotificationModel
import NotificationQueue
import NotificationStore

/// `POST /api/v1/notifications`: takes a send request, and answers 202 once the broker has confirmed it.
struct SendController {
  let catalogue: Catalogue
  let ingest: IngestPublisher
  let idempotency: IdempotencyStore

  func send(_ request: Request, context: GatewayContext) async throws -> Response {
    try context.requireService()
    let body = try await RequestBody.bytes(of: request)
    _ = try FieldReader.read(SendRequest.self, from: body).resolve(in: catalogue)
    guard let key = request.headers[.idempotencyKey] else {
      let id = NotificationModel.RequestID(now: Date.now)
      try await ingest.publish(body, as: .request, id: id)
      return .accepted(id)
    }
    let id = try await IdempotentPublisher(ingest: ingest, idempotency: idempotency).publish(
      body,
      as: .request,
      key: key,
      scope: "rest:\(context.principal?.subject ?? "")",
      logger: context.logger
    )
    return .accepted(id)
  }
}

extension HTTPField.Name {
  /// IETF draft "The Idempotency-Key HTTP Header Field".
  static let idempotencyKey: Self = {
    guard let name = Self("Idempotency-Key") else { preconditionFailure("a valid field name") }
    return name
  }()
}
