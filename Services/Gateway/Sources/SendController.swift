import Authentication
import Broker
import Foundation
import HTTPTypes
import Hummingbird
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
  let clock: @Sendable () -> Date

  init(_ parts: GatewayParts) {
    catalogue = parts.catalogue
    ingest = parts.ingest
    idempotency = IdempotencyStore(client: parts.database)
    schedules = ScheduleStore(client: parts.database)
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
    _ = try send.resolve(in: catalogue)
    let now = clock()
    try send.checkTime(since: now)
    let owner = context.principal?.subject ?? ""
    guard let key = request.headers[.idempotencyKey] else {
      return try await accept(send, body, NotificationModel.RequestID(now: now), of: owner)
    }
    let id = try await IdempotentAcceptance(idempotency: idempotency).accept(
      body,
      key: key,
      scope: "rest:\(owner)",
      now: now,
      logger: context.logger
    ) { id in
      _ = try await accept(send, body, id, of: owner)
    }
    return Self.answer(send, id)
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
      try await ingest.publish(body, as: .request, id: id, of: owner)
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
