import CatalogueVersions
import Foundation
import BelfryJSON
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Recurrence
import ServiceRuntime
import WallClock

/// Hands on what has come due.
///
/// What was handed on is noted afterwards: a router that dies in between leaves a claim that ends by itself, and the next one
/// hands on the same under the same ids, of which nothing is stored twice.
struct ScheduleRunner: Sendable {
  let schedules: any ScheduleStoring
  let residents: any ResidentStoring
  let catalogues: CatalogueInForce
  /// The zone of people who have none.
  let home: Zone
  /// Returns once the broker has confirmed all.
  let publish: @Sendable ([ScheduledSend]) async throws -> Void
  let clock: any WorkClock
  let logger: Logger
  let untold = UntoldSchedules()

  /// What comes of one that is due.
  private enum Plan {
    case told([ScheduledSend], ScheduleStore.Advance)
    /// The catalogue has not what it needs.
    case untold(ScheduleStore.Claim, because: String)
  }

  /// Rows claimed at once.
  static let limit = 200
  /// Schedules that a round plans at a time, of which each may ask the database for its zones.
  private static let plannedAtOnce = 2
  /// Seconds that a claim holds: many times what a round takes.
  static let lease: TimeInterval = 60
  /// Seconds until a schedule that cannot be sent is planned again: the catalogue may know more by then, and nothing of it is lost.
  /// It is sent when it can be, if that is not too late.
  static let postponement: TimeInterval = 60

  /// Claims what is due and hands it on.
  ///
  /// - Returns: Whether more may be due already.
  func round(of work: ScheduleStore.Work) async throws -> Bool {
    let now = try await clock.checkedNow()
    let claims = try await schedules.claim(work, limit: Self.limit, lease: Self.lease, now: now)
    guard !claims.isEmpty else { return false }
    do {
      switch work {
      case .sends: try await handOn(claims, now: now)
      case .schedules: try await carryOut(claims, now: now)
      }
    } catch {
      await giveBack(claims, now: now)
      throw error
    }
    return claims.count == Self.limit
  }

  /// Sends that waited.
  private func handOn(_ claims: [ScheduleStore.Claim], now: Date) async throws {
    var sends: [ScheduledSend] = []
    var finished: [ScheduleStore.Claim] = []
    var unread: [UntoldSchedules.Entry] = []
    for claim in claims {
      guard claim.isReleased else {
        logger.info("a send was cancelled before it was due", metadata: ["request": "\(RequestID(claim.id))"])
        finished.append(claim)
        continue
      }
      guard let send = Self.send(of: claim) else {
        unread.append(.init(claim: claim, reason: "its request cannot be read"))
        continue
      }
      sends.append(send)
      finished.append(claim)
    }
    untold.report(unread, now: now, to: logger)
    try await publish(sends)
    try await schedules.finish(finished)
    try await schedules.advance(unread.map { .init($0.claim, again: now + Self.postponement) })
  }

  /// Schedules, each planned no further than one search may go.
  private func carryOut(_ claims: [ScheduleStore.Claim], now: Date) async throws {
    let former = catalogues.revised
    var plans = try await plan(claims, by: former.catalogue, now: now)
    let missing = Self.untold(plans)
    if !missing.isEmpty {
      // A gateway that took the schedule may have a version which this router has not.
      try await catalogues.refresh()
      let newer = catalogues.revised
      if newer.revision != former.revision {
        plans.removeAll { if case .untold = $0 { true } else { false } }
        plans += try await plan(missing.map(\.claim), by: newer.catalogue, now: now)
      }
    }
    let rest = Self.untold(plans)
    var sends: [ScheduledSend] = []
    var advances = rest.map { ScheduleStore.Advance($0.claim, again: now + Self.postponement) }
    for case .told(let due, let advance) in plans {
      sends += due
      advances.append(advance)
    }
    untold.report(rest, now: now, to: logger)
    try await publish(sends)
    try await schedules.advance(advances)
  }

  private static func untold(_ plans: [Plan]) -> [UntoldSchedules.Entry] {
    plans.compactMap { plan in
      guard case .untold(let claim, let reason) = plan else { return nil }
      return UntoldSchedules.Entry(claim: claim, reason: reason)
    }
  }

  private func plan(
    _ claims: [ScheduleStore.Claim],
    by current: AppliedCatalogue,
    now: Date
  ) async throws -> [Plan] {
    // A few at a time: sends that are due ask over the same connections.
    var (rest, plans) = (claims[...], [Plan]())
    while !rest.isEmpty {
      let few = rest.prefix(Self.plannedAtOnce)
      rest = rest.dropFirst(few.count)
      plans += try await withThrowingTaskGroup { group in
        for claim in few { group.addTask { try await plan(claim, by: current, now: now) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    return plans
  }

  /// The send that waited, due when it asked to be, however often it is claimed. Nil if it cannot be read, which the caller
  /// logs: gateway and router check a send before they store it.
  private static func send(of claim: ScheduleStore.Claim) -> ScheduledSend? {
    guard let request = try? JSONParser.parse(Array(claim.definition.utf8)),
      let sendAt = request["sendAt"]?.string.flatMap({ Date(rfc3339: $0) })
    else { return nil }
    return ScheduledSend(
      requestId: RequestID(claim.id),
      at: sendAt,
      owner: RequestOwner(claim.owner),
      request: request,
      catalogueVersion: claim.catalogueVersion
    )
  }

  /// What a schedule sends now, and when to plan it again.
  private func plan(
    _ claim: ScheduleStore.Claim,
    by current: AppliedCatalogue,
    now: Date
  ) async throws -> Plan {
    let catalogue = current.catalogue
    let definition: JSONValue
    let schedule: Schedule
    do {
      definition = try JSONParser.parse(Array(claim.definition.utf8))
      schedule = try FieldReader.read(ScheduleDefinition.self, from: definition, routing: catalogue.channels)
        .resolve(in: catalogue, startingOn: claim.startsOn)
    } catch {
      return .untold(claim, because: "\(error)")
    }
    let zones = schedule.followsRecipients ? try await residents.zones(of: schedule.request.audience) : []
    let due = DueOccurrences(
      schedule,
      zones: zones,
      home: home,
      plan: claim.plan.flatMap { RecurrencePlan(json: $0) },
      after: claim.doneUntil,
      now: now
    )
    for run in due.missed {
      logger.warning(
        "a schedule's occurrence is too late and is skipped",
        metadata: [
          "schedule": "\(claim.key ?? "")", "owner": "\(claim.owner)", "date": "\(run.occurrence.date)",
          "due": "\(run.at.rfc3339)", "zones": "\(run.zones?.joined(separator: " ") ?? "all")",
        ]
      )
    }
    let key = claim.key ?? ""
    let sends = due.runs.map { run in
      let date = schedule.timing.isInstant ? nil : run.occurrence.date
      return ScheduledSend(
        requestId: date.map { RequestID(schedule: key, of: claim.owner, on: $0) }
          ?? RequestID(schedule: key, of: claim.owner, at: run.at),
        at: run.at,
        date: date,
        facts: run.occurrence.facts,
        zones: run.zones,
        owner: RequestOwner(claim.owner),
        request: ScheduleDefinition.send(of: definition, type: run.occurrence.type ?? schedule.request.type),
        catalogueVersion: current.reference
      )
    }
    let advance = ScheduleStore.Advance(
      claim,
      doneUntil: max(due.searchedUntil, claim.doneUntil),
      next: due.next,
      plan: due.plan?.json
    )
    return .told(sends, advance)
  }

  /// So that nobody waits for the claims to end. If that fails too, they do.
  private func giveBack(_ claims: [ScheduleStore.Claim], now: Date) async {
    do {
      try await schedules.advance(claims.map { ScheduleStore.Advance($0, again: now) })
    } catch {
      logger.warning("claims on schedules are left to end by themselves", metadata: ["error": "\(error)"])
    }
  }
}
