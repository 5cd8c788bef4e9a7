public import Foundation
public import NotificationModel
public import Postgres
public import Rules

/// What rules remember, and what they want sent until the broker has it.
///
/// Whatever is decided is written in one transaction: the states that say a notice is sent, and the notice. Of several
/// routers that look at a state, one has its lock; the others then see what it wrote.
public struct RuleStore: Sendable {
  /// What becomes of some states.
  public struct Changes: Sendable {
    /// Only those that are others than before.
    public var states: [RuleStateKey: RuleState] = [:]
    /// When states that stay as they are come due again; of those that were claimed as due.
    public var timers: [RuleStateKey: Date?] = [:]
    /// When states are claimed again that could not be looked at: that their person's settings have changed still counts.
    public var deferred: [RuleStateKey: Date] = [:]
    public var notices: [Notice] = []

    public init() {}
  }

  /// A notice as it goes to the broker.
  public struct Notice: Sendable, Equatable {
    public var id: RequestID
    public var body: [UInt8]

    public init(id: RequestID, body: [UInt8]) {
      self.id = id
      self.body = body
    }
  }

  let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Whoever wrote a notice publishes it within that time; then others may.
  static let publishing: TimeInterval = 30

  /// Locks states, in the order of their keys, and stores what `decide` makes of them, all in one transaction.
  ///
  /// - Parameters:
  ///   - now: Says until when the notices are the caller's to publish, nothing else.
  ///   - decide: Gets the stored forms of those there are. It is asked again where another router has just made a state
  ///     that was not there, so it must not have effects.
  public func change<Result>(
    _ keys: Set<RuleStateKey>,
    now: Date,
    _ decide: ([RuleStateKey: String]) throws -> (changes: Changes, result: Result)
  ) async throws -> Result {
    let keys = keys.sorted()
    for _ in 0..<Self.attempts {
      do {
        return try await client.withTransaction { transaction in
          let rows = try await transaction.query(Self.lock(keys), planned: .inNestedLoops)
          var stored: [RuleStateKey: String] = [:]
          for row in rows { stored[try Self.key(row)] = try row.get("state") }
          let (changes, result) = try decide(stored)
          try await Self.write(changes, over: Set(stored.keys), settling: false, now: now, transaction)
          return result
        }
      } catch is StateAppeared {
        // It is there now, so the next attempt waits for its lock.
      }
    }
    throw StateAppeared()
  }

  /// To evaluate what others are just making states of.
  private static let attempts = 16

  /// The stored forms of the states there are; nothing is locked.
  public func states(of keys: [RuleStateKey]) async throws -> [RuleStateKey: String] {
    var stored: [RuleStateKey: String] = [:]
    for row in try await client.query(Self.read(keys), planned: .inNestedLoops) {
      stored[try Self.key(row)] = try row.get("state")
    }
    return stored
  }

  // MARK: Writing

  /// Another router has made a state at the same time, and decided on it.
  private struct StateAppeared: Error {}

  static func write(
    _ changes: Changes,
    over known: Set<RuleStateKey>,
    settling: Bool,
    now: Date,
    _ transaction: PostgresTransaction
  ) async throws {
    let keys = changes.states.keys.sorted()
    let (new, changed) = (keys.filter { !known.contains($0) }, keys.filter(known.contains))
    var queries: [SQLQuery] = []
    if !new.isEmpty { queries.append(insert(Rows(new, changes.states))) }
    if !changed.isEmpty { queries.append(update(Rows(changed, changes.states), settling: settling)) }
    if !changes.timers.isEmpty { queries.append(postpone(changes.timers, isSettled: true)) }
    if !changes.deferred.isEmpty { queries.append(postpone(changes.deferred.mapValues { $0 }, isSettled: false)) }
    if !changes.notices.isEmpty { queries.append(insert(changes.notices, until: now + publishing)) }
    guard !queries.isEmpty else { return }
    let results = try await transaction.queries(queries)
    if !new.isEmpty, results[0].affectedRows < new.count { throw StateAppeared() }
  }

  static func key(_ row: PostgresRow) throws -> RuleStateKey {
    RuleStateKey(rule: try row.get("rule"), user: try row.get("user_id"), key: try row.get("key"))
  }
}
