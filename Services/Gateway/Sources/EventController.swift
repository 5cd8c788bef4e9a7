import Foundation
import Hummingbird
import NotificationModel
import NotificationQueue

/// `POST /api/v1/events`: takes an event for whoever is connected, and answers 202 once the broker has confirmed it.
struct EventController {
  let catalogue: Catalogue
  let ingest: IngestPublisher

  func report(_ request: Request, context: GatewayContext) async throws -> Response {
    try context.requireService()
    // Nothing is stored by which a repetition could be known.
    guard request.headers[.idempotencyKey] == nil else {
      throw Problem.invalid("Idempotency-Key", "is not supported for events: they are told at least once")
    }
    let body = try await RequestBody.bytes(of: request)
    _ = try FieldReader.read(EventReport.self, from: body).resolve(in: catalogue)
    let id = NotificationModel.RequestID(now: Date.now)
    try await ingest.publish(body, as: .event, id: id)
    return .accepted(id)
  }
}
