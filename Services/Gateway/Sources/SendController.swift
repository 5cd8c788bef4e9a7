import Authentication
import Broker
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import JSON
import Logging
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
      try await publish(body, id)
      return .accepted(id)
    }
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem.invalid("Idempotency-Key", "expected 1 to 255 visible ASCII characters")
    }
    let scope = "rest:\(context.principal?.subject ?? "")"
    let claim = IdempotencyStore.Claim(
      scope: scope,
      key: key,
      requestID: NotificationModel.RequestID(now: Date.now),
      bodyHash: Array(SHA256.hash(data: body))
    )
    guard let entry = try await idempotency.claim([claim]).first else {
      preconditionFailure("one claim gets one entry")
    }
    guard entry.isSameBody else {
      throw Problem(
        .unprocessableContent,
        .keyReused,
        "The Idempotency-Key was used before with another body",
        detail: "send the same body again, or use another key"
      )
    }
    if !entry.isConfirmed {
      // New, or an earlier attempt failed before the broker confirmed: what it may have stored is not stored twice.
      try await publish(body, entry.requestID)
      do {
        try await idempotency.confirm(scope: scope, key: key)
      } catch {
        // Accepted all the same; a repetition publishes once more, and nothing is stored twice.
        context.logger.warning("a confirmed key is not marked", metadata: ["error": "\(error)"])
      }
    }
    return .accepted(entry.requestID)
  }

  private func publish(_ body: [UInt8], _ id: NotificationModel.RequestID) async throws(BrokerError) {
    try await ingest.publish(body, as: .request, id: id)
  }
}

extension HTTPField.Name {
  /// IETF draft "The Idempotency-Key HTTP Header Field".
  static let idempotencyKey: Self = {
    guard let name = Self("Idempotency-Key") else { preconditionFailure("a valid field name") }
    return name
  }()
}
