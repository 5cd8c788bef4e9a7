import Authentication
import Foundation
import HTTPTypes
import Hummingbird
import BelfryJSON
import NotificationModel
import NotificationStore
import Recurrence
import UserIdentity
import WallClock

/// `/api/v1/schedules`: what a service has sent again and again, at wall-clock times.
struct ScheduleController {
  let schedules: ScheduleStore
  let identities: UserIdentities
  let catalogue: Catalogue
  /// The zone of people who have none.
  let home: Zone
  let clock: @Sendable () -> Date

  /// Schedules of one owner.
  static let maximumCount = 200_000
  /// Bytes of a schedule.
  private static let maximumBody = 64 * 1_024
  /// How many of the coming instants are listed.
  private static let instants = 5
  /// Days of the calendar that one answer examines for them, whatever the rules: some hundred microseconds. It is enough to find
  /// the next date of any schedule that may be put.
  static let days = 40_000

  init(_ dependencies: GatewayDependencies) {
    schedules = ScheduleStore(client: dependencies.database)
    identities = dependencies.identities
    catalogue = dependencies.catalogue
    home = dependencies.zone
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("schedules", .service(.read), list),
      .get("schedules/:key", .service(.read), get),
      .put("schedules/:key", .service(.send), put),
      .delete("schedules/:key", .service(.send), delete),
      .get("admin/schedules", .admin, listAll),
    ]
  }

  func put(_ request: Request, context: GatewayContext) async throws -> Response {
    // Before a body that may take long to come: who is erased meanwhile is named by it no more.
    let now = clock()
    let (key, owner) = try name(request, context)
    if key.isDotSegment { throw Problem.invalid("key", "must not be . or ..") }
    let zone = try zone(request)
    let body = try await RequestBody.bytes(of: request, maximum: Self.maximumBody)
    let definition = try FieldReader.read(Definition.self, from: body, routing: catalogue.channels)
    let users = definition.value.contestedUsers
    // Nobody is made known by a schedule that is refused.
    try await identities.check(users)
    let schedules = self.schedules.noting(actor: context.subject, requestID: context.requestID)
    guard let idempotencyKey = try IdempotencyKey(request, scope: "rest-schedule:\(context.subject)") else {
      let beginning = try beginning(of: definition, now: now)
      try await identities.claim(users, asked: now)
      let change = try await schedules.put(
        key,
        of: owner,
        definition: JSONWriter.text(definition.json),
        startsOn: beginning.day,
        plan: beginning.plan?.json,
        expecting: expectation(request),
        limit: Self.maximumCount,
        now: now
      )
      return try await answer(change, asked: Precondition(request), in: zone)
    }
    // The same body for another schedule is another change.
    if !users.isEmpty, (try? beginning(of: definition, now: now)) != nil {
      try await identities.claim(users, asked: now)
    }
    let claim = idempotencyKey.claim(Array("\(owner)\n\(key)\n".utf8) + body, now: now)
    let change = try await schedules.put(
      key,
      of: owner,
      claim: claim,
      expecting: expectation(request),
      limit: Self.maximumCount,
      now: now
    ) {
      let beginning = try beginning(of: definition, now: now)
      return (JSONWriter.text(definition.json), beginning.day, beginning.plan?.json)
    }
    switch change {
    case .changed(let change): return try await answer(change, asked: Precondition(request), in: zone)
    case .reused: throw Problem.keyReusedForSchedule
    case .repeated(nil, _): throw Problem.notFound
    case .repeated(let entry?, let id):
      // As the first was answered, where nobody has changed it since. An id has its time to the millisecond.
      let isNew = entry.version.number == 1 && id.time.map { entry.createdAt >= $0 - 0.001 } ?? false
      return try await answer(entry, in: zone, isNew ? .created : .ok)
    }
  }

  /// On which day it starts, unless it says so itself, and what is known of its dates.
  ///
  /// - Throws: ``ValidationError`` for what the catalogue does not know, for what has passed, for what asks too much, and for texts
  ///   that are too long.
  private func beginning(of definition: Definition, now: Date) throws -> (day: LocalDate, plan: RecurrencePlan?) {
    let today = (definition.value.timezone ?? home).localDate(at: now)
    let schedule = try definition.value.resolve(in: catalogue, startingOn: today)
    try schedule.checkTexts(in: catalogue)
    if case .once(let instant) = schedule.timing {
      guard instant > now else { throw Problem.invalid("sendAt", "has passed") }
      try schedule.request.checkTime(since: now)
    }
    return (today, try schedule.plan(naming: definition.value.fieldOfRule, on: today))
  }

  private func answer(
    _ change: ScheduleStore.Change,
    asked precondition: Precondition,
    in zone: Zone
  ) async throws -> Response {
    switch change {
    case .created(let entry): return try await answer(entry, in: zone, .created)
    case .kept(let entry): return try await answer(entry, in: zone)
    case .full:
      throw Problem(
        .conflict,
        .limitReached,
        "There are too many schedules",
        detail: "at most \(Self.maximumCount) are kept for a service"
      )
    case .conflict, .deleted, .missing: throw precondition.failure
    }
  }

  func get(_ request: Request, context: GatewayContext) async throws -> Response {
    let (key, owner) = try name(request, context)
    let zone = try zone(request)
    guard let entry = try await schedules.entry(key, of: owner) else { throw Problem.notFound }
    return try Precondition(request).answer(representation(try await called(entry), in: zone))
  }

  func delete(_ request: Request, context: GatewayContext) async throws -> Response {
    let (key, owner) = try name(request, context)
    let schedules = self.schedules.noting(actor: context.subject, requestID: context.requestID)
    switch try await schedules.delete(key, of: owner, expecting: expectation(request)) {
    case .deleted: return Response(status: .noContent)
    case .conflict: throw Precondition(request).failure
    default: throw Problem.notFound
    }
  }

  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    let owner = try owner(request, context)
    let zone = try zone(request)
    var query = QueryParameters(request)
    let pageSize = query.integer("pageSize", default: 20, in: 1...100)
    let after = query.text("after") ?? ""
    if after.hasControl() { query.problem("after", "must not contain control characters") }
    try query.validate()
    let entries = try await called(schedules.list(of: owner, after: after, limit: pageSize + 1))
    let now = clock()
    return .json { writer in
      writer.object { writer in
        writer.array("schedules") { writer in
          var days = Self.days
          for entry in entries.prefix(pageSize) { write(entry, in: zone, now: now, days: &days, to: &writer) }
        }
        writer.field("hasMore", entries.count > pageSize)
      }
    }
  }

  /// `GET /api/v1/admin/schedules`: everybody's, for operators.
  func listAll(_ request: Request, context: GatewayContext) async throws -> Response {
    let zone = try zone(request)
    var query = QueryParameters(request)
    let pageSize = query.integer("pageSize", default: 20, in: 1...100)
    let after = query.text("after").map(ScheduleStore.Cursor.init(text:))
    if after == .some(nil) { query.problem("after", "expected what an answer gave as next") }
    let owner = query.text("owner")
    if owner?.hasControl() == true { query.problem("owner", "must not contain control characters") }
    try query.validate()
    let entries = try await called(schedules.list(after: after ?? nil, of: owner, limit: pageSize + 1))
    let now = clock()
    let page = entries.prefix(pageSize)
    return .json { writer in
      writer.object { writer in
        writer.array("schedules") { writer in
          var days = Self.days
          for entry in page { write(entry, of: entry.owner, in: zone, now: now, days: &days, to: &writer) }
        }
        let hasMore = entries.count > page.count
        writer.field("hasMore", hasMore)
        let last = hasMore ? page.last : nil
        writer.nullableField("next", last.map { ScheduleStore.Cursor(owner: $0.owner, key: $0.key).text })
      }
    }
  }

  // MARK: Requests

  /// What the body says, and as what it is kept.
  private struct Definition: FieldReadable {
    let value: ScheduleDefinition
    /// With UUIDs for users: who is erased is found by them.
    let json: JSONValue

    init?(_ reader: FieldReader) {
      guard let value = ScheduleDefinition(reader) else { return nil }
      json = value.contestedUsers.isEmpty ? reader.json : reader.json.withUserIDs
      self.value = value
    }
  }

  private func name(_ request: Request, _ context: GatewayContext) throws -> (key: String, owner: String) {
    let key = context.parameters.get("key")?.removingPercentEncoding ?? ""
    if key.isEmpty { throw Problem.invalid("key", "must not be empty") }
    if let excess = key.lengthProblem(limit: 128) { throw Problem.invalid("key", excess) }
    if key.hasControl() { throw Problem.invalid("key", "must not contain control characters") }
    return (key, try owner(request, context))
  }

  /// The caller; an admin may name another. To others, what is not theirs is not there.
  private func owner(_ request: Request, _ context: GatewayContext) throws -> String {
    let caller = context.subject
    guard let owner = QueryParameters(request).text("owner"), owner != caller else {
      return caller
    }
    // What no owner is called, and the database would refuse to be asked for.
    if owner.hasControl() { throw Problem.invalid("owner", "must not contain control characters") }
    guard context.ownerInSight() == nil else { throw Problem.notFound }
    return owner
  }

  /// For whom the coming instants are listed; nil is the deployment's zone.
  private func zone(_ request: Request) throws -> Zone {
    guard let name = QueryParameters(request).text("timezone") else { return home }
    if let excess = name.lengthProblem(limit: 64) { throw Problem.invalid("timezone", excess) }
    guard let zone = Zone(name) else {
      throw Problem.invalid("timezone", "expected an IANA time zone such as Europe/Berlin")
    }
    return zone
  }

  /// What is no version of ours matches nothing.
  private func expectation(_ request: Request) -> ScheduleStore.Expectation {
    let precondition = Precondition(request)
    let match: ScheduleStore.Expectation =
      switch precondition.match {
      case nil: .anything
      case .any: .any
      case .tags(let tags, _): .versions(Set(tags.compactMap(\.scheduleVersion)))
      }
    return switch precondition.noneMatch {
    case nil: match
    case .any: .both(match, .none)
    case .tags(let strong, let weak): .both(match, .noneOf(Set(strong.union(weak).compactMap(\.scheduleVersion))))
    }
  }

  // MARK: Answers

  private func answer(
    _ entry: ScheduleStore.Entry,
    in zone: Zone,
    _ status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    representation(try await called(entry), in: zone).response(status)
  }

  private func called(_ entry: ScheduleStore.Entry) async throws -> ScheduleStore.Entry {
    try await called([entry])[0]
  }

  /// With users' ids as they came in place of the UUIDs that are stored.
  private func called(_ entries: [ScheduleStore.Entry]) async throws -> [ScheduleStore.Entry] {
    var entries = entries
    var definitions: [Int: JSONValue] = [:]
    // A UUID of version 5 has its digit behind a hyphen: nearly every definition is passed by unread.
    for (index, entry) in entries.enumerated() where entry.definition.contains("-5") {
      definitions[index] = try? JSONParser.parse(Array(entry.definition.utf8))
    }
    let users = definitions.values.flatMap(\.usersOfVersion5)
    guard !users.isEmpty else { return entries }
    let texts = try await identities.texts(of: users)
    for (index, definition) in definitions {
      entries[index].definition = JSONWriter.text(definition.withAudience { text in UserID(text).map { texts[$0] } })
    }
    return entries
  }

  /// The tag is of what is stored: what comes next is another every day, and in every zone.
  private func representation(_ entry: ScheduleStore.Entry, in zone: Zone) -> Representation {
    let now = clock()
    return Representation(tag: EntityTag(entry.version)) { writer in
      var days = Self.days
      write(entry, in: zone, now: now, days: &days, most: days, to: &writer)
    }
  }

  /// - Parameters:
  ///   - owner: Nil for those who see their own.
  ///   - days: That the answer may still examine.
  ///   - most: Those of this schedule.
  private func write(
    _ entry: ScheduleStore.Entry,
    of owner: String? = nil,
    in zone: Zone,
    now: Date,
    days: inout Int,
    most: Int = DueOccurrences.maximumDays,
    to writer: inout JSONWriter
  ) {
    // This controller checked it before it was stored: it can be read.
    let definition = (try? JSONParser.parse(Array(entry.definition.utf8))) ?? .object([])
    let coming = next(definition, entry, in: zone, now: now, limit: min(days, most))
    days -= coming.examined
    writer.object { writer in
      writer.optionalField("owner", owner)
      writer.field("key", entry.key)
      writer.members(definition.members ?? [])
      writer.array("next") { writer in
        for instant in coming.instants { writer.string(instant.rfc3339) }
      }
      writer.field("nextIsComplete", coming.isComplete)
      writer.field("createdAt", entry.createdAt.rfc3339)
      writer.field("updatedAt", entry.updatedAt.rfc3339)
    }
  }

  /// Nothing where the catalogue has lost what the schedule names: then nothing comes.
  private func next(
    _ definition: JSONValue,
    _ entry: ScheduleStore.Entry,
    in zone: Zone,
    now: Date,
    limit: Int
  ) -> Schedule.Coming {
    do {
      return try FieldReader.read(ScheduleDefinition.self, from: definition, routing: catalogue.channels)
        .resolve(in: catalogue, startingOn: entry.startsOn)
        .next(
          Self.instants,
          after: now,
          in: zone,
          plan: entry.plan.flatMap { RecurrencePlan(json: $0) },
          limit: limit
        )
    } catch {
      return Schedule.Coming()
    }
  }
}
