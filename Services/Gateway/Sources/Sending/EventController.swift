import Authentication
import Foundation
import Hummingbird
import NotificationModel
import NotificationQueue
import NotificationStore
import Rules
import WallClock

/// `POST /api/v1/events`: takes an event for whoever is connected and for the catalogue's rules, and answers 202 once the broker
/// has confirmed it.
struct EventController {
  let catalogue: Catalogue
  let ingest: IngestPublisher
  let idempotency: IdempotencyStore
  let clock: @Sendable () -> Date

  init(_ parts: GatewayDependencies) {
    catalogue = parts.catalogue
    ingest = parts.ingest
    idempotency = IdempotencyStore(client: parts.database)
    clock = parts.clock
  }

  var routes: [Route] {
    [
      .post("events", .service(.send), report)
    ]
  }

  func report(_ request: Request, context: GatewayContext) async throws -> Response {
    let body = try await RequestBody.bytes(of: request)
    let now = clock()
    let report = try FieldReader.read(EventReport.self, from: body)
    guard let key = request.headers[.idempotencyKey] else {
      try check(report, now: now)
      let id = NotificationModel.RequestID(now: now)
      try await ingest.publish(body, as: .event, id: id)
      return .accepted(id)
    }
    let id = try await IdempotentAcceptance(idempotency: idempotency).accept(
      body,
      key: key,
      scope: "rest-event:\(context.principal?.subject ?? "")",
      now: now,
      logger: context.logger,
      judge: { try check(report, now: now) }
    ) { id in
      try await ingest.publish(body, as: .event, id: id)
    }
    return .accepted(id)
  }

  /// Tells the sender what a router would park the event for.
  private func check(_ report: EventReport, now: Date) throws(ValidationError) {
    let type = try report.resolve(in: catalogue, now: now)
    let refusals: [RuleRefusal]
    do throws(RuleRefusal) {
      let event = try RuleEvent(
        id: type.name,
        name: type.name,
        payload: report.payload,
        intake: now,
        occurredAt: report.occurredAt ?? now
      )
      refusals = catalogue.rules.refusals(of: event, settings: RuleSettings(zone: .utc, threshold: nil))
    } catch {
      refusals = [error]
    }
    guard refusals.isEmpty else { throw ValidationError(refusals.map { FieldError($0.field, $0.problem) }) }
  }
}
