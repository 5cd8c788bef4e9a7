import Authentication
import Foundation
import Hummingbird
import NotificationModel
import NotificationQueue
import NotificationStore
import Rules
import UserIdentity
import WallClock

/// `POST /api/v1/events`: takes an event for whoever is connected and for the catalogue's rules, and answers 202 once the broker
/// has confirmed it.
struct EventController {
  let catalogue: Catalogue
  let ingest: IngestPublisher
  let idempotency: IdempotencyStore
  let identities: UserIdentities
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    catalogue = dependencies.catalogue
    ingest = dependencies.ingest
    idempotency = IdempotencyStore(client: dependencies.database)
    identities = dependencies.identities
    clock = dependencies.clock
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
    let contested = contestedUsers(of: report)
    // Before its key stands for anything.
    try await identities.check(contested)
    let id = try await IdempotentAcceptance(idempotency: idempotency).accept(
      body,
      under: IdempotencyKey(request, scope: "rest-event:\(context.subject)"),
      now: now,
      logger: context.logger
    ) {
      try check(report, now: now)
    } store: { id in
      try await identities.claim(contested, asked: id.time ?? now)
      try await ingest.publish(body, as: .event, id: id)
    }
    return .accepted(id)
  }

  /// Those of its audience, and those whom rules find in its payload.
  private func contestedUsers(of report: EventReport) -> [UserIdentifier] {
    let rules = catalogue.event(report.name).map { catalogue.rules.rules(on: $0.name) } ?? []
    return report.contestedUsers + rules.flatMap { $0.contestableUsers(in: report.payload) }
  }

  /// Reports to the sender what a router would dead-letter the event for.
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
      refusals = catalogue.rules.refusals(of: event, settings: RuleSettings(zone: .utc, declared: catalogue.settings))
    } catch {
      refusals = [error]
    }
    guard refusals.isEmpty else { throw ValidationError(refusals.map { FieldError($0.field, $0.problem) }) }
  }
}
