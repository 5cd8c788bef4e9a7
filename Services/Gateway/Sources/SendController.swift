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

/// `POST /api/v1/notifications`: takes a send request, and answers 202 once the broker has confirmed it, or the database if
/// it is for later.
struct SendController {
  let catalogue: Catalogue
  let ingest: IngestPublisher
  let idempotency: IdempotencyStore
  let schedules: ScheduleStore
  var clock: @Sendable () -> Date = { Date.now }

  func send(_ request: Request, context: GatewayContext) async throws -> Response {
    try context.requireService()
    let body = try await RequestBody.bytes(of: request)
    let send = try FieldReader.read(SendRequest.self, from: body)
    _ = try send.resolve(in: catalogue)
    let now = clock()
    try send.checkTime(since: now)
    let owner = context.principal?.subject ?? ""
    guard let key = request.headers[.idempotencyKey] else {
      return try await accept(send, body, NotificationModel.RequestID(now: now), of: owner)
    }
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem.invalid("Idempotency-Key", "expected 1 to 255 visible ASCII characters")
    }
    let scope = "rest:\(owner)"
    let claim = IdempotencyStore.Claim(
      scope: scope,
      key: key,
      requestID: NotificationModel.RequestID(now: now),
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
    guard !entry.isConfirmed else { return Self.answer(send, entry.requestID) }
    // New, or an earlier attempt failed before the broker confirmed: what it may have stored is not stored twice.
    let answer = try await accept(send, body, entry.requestID, of: owner)
    do {
      try await idempotency.confirm(scope: scope, key: key)
    } catch {
      // Accepted all the same; a repetition publishes once more, and nothing is stored twice.
      context.logger.warning("a confirmed key is not marked", metadata: ["error": "\(error)"])
    }
    return answer
  }

  /// Hands the request to the routers, or stores it until it is due.
  private func accept(
    _ send: SendRequest,
    _ body: [UInt8],
    _ id: NotificationModel.RequestID,
    of owner: String
  ) async throws -> Response {
    if let sendAt = Self.instant(of: send, id) {
      let waiting = ScheduleStore.WaitingSend(
        id: id,
        owner: owner,
        definition: String(decoding: body, as: UTF8.self),
        sendAt: sendAt
      )
      try await schedules.store([waiting], now: clock())
    } else {
      try await ingest.publish(body, as: .request, id: id)
    }
    return Self.answer(send, id)
  }

  private static func instant(of send: SendRequest, _ id: NotificationModel.RequestID) -> Date? {
    id.time.flatMap { send.waits(since: $0) }
  }

  private static func answer(_ send: SendRequest, _ id: NotificationModel.RequestID) -> Response {
    .accepted(id, status: instant(of: send, id) == nil ? "accepted" : "scheduled")
  }
}

extension HTTPField.Name {
  /// IETF draft "The Idempotency-Key HTTP Header Field".
  static let idempotencyKey: Self = {
    guard let name = Self("Idempotency-Key") else { preconditionFailure("a valid field name") }
    return name
  }()
}
