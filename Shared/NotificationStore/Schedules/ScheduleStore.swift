public import Foundation
import NotificationModel
public import Postgres
public import WallClock

/// What is to be sent later, as its owners keep it.
public struct ScheduleStore: Sendable {
  /// Which schedule, and how often its owner has changed it. One that is put after a deletion is another.
  public struct Version: Hashable, Sendable {
    public var id: UUID
    /// From 1.
    public var number: Int

    public init(id: UUID, number: Int) {
      self.id = id
      self.number = number
    }
  }

  /// A schedule as it is stored.
  public struct Entry: Sendable {
    public var key: String
    public var owner: String
    /// JSON as its owner wrote it.
    public var definition: String
    public var startsOn: LocalDate
    /// What is known of its dates, as it was put or as routers left it; nil is nothing.
    public var plan: String?
    public var version: Version
    public var createdAt: Date
    public var updatedAt: Date
  }

  /// A place in the list of everybody's schedules.
  public struct Cursor: Sendable, Equatable {
    public var owner: String
    public var key: String

    public init(owner: String, key: String) {
      self.owner = owner
      self.key = key
    }
  }

  /// What became of a change.
  public enum Change: Sendable {
    case created(Entry)
    /// Also where nothing changed.
    case kept(Entry)
    case deleted
    /// There is none.
    case missing
    /// There is one of another version than the caller knows, or one where none should be.
    case conflict
    /// The owner has as many as are allowed.
    case full
  }

  /// What the caller knows of a schedule that is to be changed.
  public enum Expectation: Sendable, Equatable {
    case anything
    case none
    case any
    case versions(Set<Version>)
    /// Or that there is none.
    case noneOf(Set<Version>)
    indirect case both(Expectation, Expectation)

    func allows(_ version: Version?) -> Bool {
      switch self {
      case .anything: true
      case .none: version == nil
      case .any: version != nil
      case .versions(let versions): version.map(versions.contains) ?? false
      case .noneOf(let versions): version.map { !versions.contains($0) } ?? true
      case .both(let one, let other): one.allows(version) && other.allows(version)
      }
    }
  }

  let client: PostgresClient
  private let allowances = ScheduleAllowances()
  /// Whose changes the audit log records.
  var caller: Caller?

  public init(client: PostgresClient) {
    self.client = client
  }

  // MARK: Schedules of an owner

  /// Creates or replaces a schedule; the same definition again changes nothing. Of what was to come before `now`, nothing
  /// is sent any more. Who was erased at `now` or later is left out of it.
  ///
  /// - Parameters:
  ///   - plan: What is known of its dates.
  ///   - limit: How many an owner may have. Processes that create many at the same time may go beyond it, each by
  ///     ``ScheduleAllowances/most`` at most.
  /// - Throws: ``ErasureError/erasedMeanwhile`` if then nobody is left to notify.
  public func put(
    _ key: String,
    of owner: String,
    definition: String,
    startsOn: LocalDate,
    plan: String? = nil,
    expecting: Expectation = .anything,
    limit: Int,
    now: Date
  ) async throws -> Change {
    try await client.withTransaction { transaction in
      try await put(
        key,
        of: owner,
        definition: definition,
        startsOn: startsOn,
        plan: plan,
        expecting: expecting,
        limit: limit,
        now: now,
        in: transaction
      )
    }
  }

  func put(
    _ key: String,
    of owner: String,
    definition: String,
    startsOn: LocalDate,
    plan: String?,
    expecting: Expectation,
    limit: Int,
    now: Date,
    in transaction: PostgresTransaction
  ) async throws -> Change {
    // One change of a schedule at a time: two may create it. Who is erased while it waits for that is not named by it again.
    let results = try await transaction.queries(
      [
        Self.lock("\(owner)\n\(key)"), ErasureStore.joinWriters,
        ErasureStore.erased(in: [definition], since: [now]), Self.entry(key, of: owner),
      ],
      planned: .alongIndexes
    )
    let erased: [UserID] = try results[2].map { try $0.get("user_id") }
    guard let definition = ErasureStore.rewriting(definition, without: erased) else {
      throw ErasureError.erasedMeanwhile
    }
    let known = try results[3].first.map { try Entry($0) }
    guard expecting.allows(known?.version) else { return .conflict }
    if let known, known.definition == definition { return .kept(known) }
    if known == nil, !allowances.take(of: owner, now: now) {
      // Always after the other lock: who has this one waits for nobody.
      _ = try await transaction.query(Self.lock(owner))
      let count: Int = try await transaction.query(Self.count(of: owner, limit: limit)).first?.get(0) ?? 0
      if count >= limit { return .full }
      allowances.grant(owner, room: limit - count - 1, now: now)
    }
    let rows = try await transaction.query(
      """
      INSERT INTO schedules (id, owner, key, definition, starts_on, plan, next_at, done_until, created_at, updated_at)
      VALUES (gen_random_uuid(), \(owner), \(key), \(definition), date '1970-01-01' + \(Int32(startsOn.dayNumber)), \(plan),
        \(now), \(now), \(now), \(now))
      ON CONFLICT (owner, key) WHERE key IS NOT NULL DO UPDATE SET
        definition = excluded.definition, starts_on = excluded.starts_on, plan = excluded.plan,
        version = schedules.version + 1,
        next_at = excluded.next_at, done_until = excluded.done_until, updated_at = excluded.updated_at
      RETURNING \(unescaped: Self.columns)
      """
    )
    guard let row = rows.first else { return .missing }
    try await note("schedule.put", key, of: owner, in: transaction)
    return known == nil ? .created(try Entry(row)) : .kept(try Entry(row))
  }

  public func entry(_ key: String, of owner: String) async throws(PostgresError) -> Entry? {
    guard let row = try await client.query(Self.entry(key, of: owner)).first else { return nil }
    return try Entry(row)
  }

  /// What it has sent stays.
  public func delete(
    _ key: String,
    of owner: String,
    expecting: Expectation = .anything
  ) async throws -> Change {
    try await client.withTransaction { transaction in
      // As a put does: one that was evaluated by what is deleted here would make it anew.
      _ = try await transaction.query(Self.lock("\(owner)\n\(key)"))
      let rows = try await transaction.query(
        "SELECT id, version FROM schedules WHERE owner = \(owner) AND key = \(key) FOR UPDATE"
      )
      guard let row = rows.first else { return .missing }
      guard expecting.allows(Version(id: try row.get(0), number: try row.get(1))) else { return .conflict }
      _ = try await transaction.query("DELETE FROM schedules WHERE owner = \(owner) AND key = \(key)")
      try await note("schedule.delete", key, of: owner, in: transaction)
      return .deleted
    }
  }

  /// Up to `limit` of an owner's schedules in order of their keys, after `after`.
  public func list(of owner: String, after: String, limit: Int) async throws(PostgresError) -> [Entry] {
    var entries: [Entry] = []
    for row in try await client.query(Self.list(of: owner, after: after, limit: limit)) {
      entries.append(try Entry(row))
    }
    return entries
  }

  /// Up to `limit` of everybody's schedules, or of one owner's, in order of owners and keys, after a schedule that may be gone.
  public func list(after: Cursor?, of owner: String?, limit: Int) async throws(PostgresError) -> [Entry] {
    if let owner {
      // After another owner's schedule there is all of this one's, or nothing.
      let key = after.map { $0.owner == owner ? $0.key : "" } ?? ""
      return try await list(of: owner, after: key, limit: limit)
    }
    var entries: [Entry] = []
    for row in try await client.query(Self.list(after: after ?? Cursor(owner: "", key: ""), limit: limit)) {
      entries.append(try Entry(row))
    }
    return entries
  }

  // MARK: Statements

  static func list(after: Cursor, limit: Int) -> SQLQuery {
    """
    SELECT \(unescaped: columns) FROM schedules
    WHERE key IS NOT NULL AND (owner, key) > (\(after.owner), \(after.key)) ORDER BY owner, key LIMIT \(limit)
    """
  }

  static let columns =
    "key, owner, definition, starts_on - date '1970-01-01', id, version, created_at, updated_at, plan"

  static func entry(_ key: String, of owner: String) -> SQLQuery {
    "SELECT \(unescaped: columns) FROM schedules WHERE owner = \(owner) AND key = \(key)"
  }

  static func list(of owner: String, after: String, limit: Int) -> SQLQuery {
    """
    SELECT \(unescaped: columns) FROM schedules WHERE owner = \(owner) AND key > \(after)
    ORDER BY key LIMIT \(limit)
    """
  }

  /// Until the end of the transaction. What other locks are taken by a text has another seed.
  static func lock(_ text: String) -> SQLQuery {
    "SELECT pg_advisory_xact_lock(hashtextextended(\(text), 9))"
  }

  /// No further than it matters.
  private static func count(of owner: String, limit: Int) -> SQLQuery {
    "SELECT count(*) FROM (SELECT FROM schedules WHERE owner = \(owner) AND key IS NOT NULL LIMIT \(limit)) s"
  }
}

extension ScheduleStore.Entry {
  init(_ row: PostgresRow) throws(PostgresError) {
    key = try row.get(0)
    owner = try row.get(1)
    definition = try row.get(2)
    startsOn = LocalDate(dayNumber: try row.get(3))
    version = ScheduleStore.Version(id: try row.get(4), number: try row.get(5))
    createdAt = try row.get(6)
    updatedAt = try row.get(7)
    plan = try row.get(8)
  }
}
