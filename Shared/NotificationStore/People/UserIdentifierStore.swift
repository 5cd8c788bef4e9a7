public import Foundation
public import Logging
public import NotificationModel
public import Postgres
public import UserIdentity

/// Which text a user's UUID stands for (decision 0088). UUIDs of other versions than 5 are never asked for.
public struct UserIdentifierStore: Sendable {
  /// Identifiers that one statement stores, and that are remembered at a time.
  static let part = 10_000
  /// Refused ones that are logged by name, of one call.
  static let logged = 3

  private let client: PostgresClient
  private let cache: UserIdentifierCache
  /// For how long a text that was seen is taken for stored: another process may erase its user.
  private let freshness: Duration
  private let logger: Logger

  /// - Parameters:
  ///   - capacity: Identifiers that need not be looked up again within a minute.
  ///   - freshness: For how long one need not be stored again.
  public init(
    client: PostgresClient,
    capacity: Int = 65_536,
    freshness: Duration = .seconds(2),
    logger: Logger
  ) {
    self.client = client
    self.freshness = freshness
    cache = UserIdentifierCache(capacity: capacity)
    self.logger = logger
  }

  // MARK: Coming in

  /// Stores those that nobody has been known by so far.
  ///
  /// - Parameter asked: When something was asked for with each: who was erased then or later is not made known again.
  /// - Returns: Those whose UUID is another identifier's: they are refused, and logged.
  public func claim(_ identifiers: [UserIdentifier], asked: Date) async throws -> Set<UserIdentifier> {
    try await claim(identifiers.map { ($0, asked) })
  }

  /// ``claim(_:asked:)`` of what was asked for at several times.
  public func claim(_ claims: [(identifier: UserIdentifier, asked: Date)]) async throws -> Set<UserIdentifier> {
    guard claims.contains(where: \.identifier.isContestable) else { return [] }
    let claims = claims.filter { $0.identifier.isContestable }
    var refused: [UserIdentifier: String] = [:]
    for start in stride(from: 0, to: claims.count, by: Self.part) {
      let part = Array(claims[start..<min(start + Self.part, claims.count)])
      // What a long list brings is not asked for again soon, and would displace all others.
      refused.merge(try await claim(part, isRemembered: claims.count <= Self.part)) { $1 }
    }
    log(refused)
    return Set(refused.keys)
  }

  /// - Returns: Those that are refused, with what is stored.
  private func claim(
    _ claims: [(identifier: UserIdentifier, asked: Date)],
    isRemembered: Bool
  ) async throws -> [UserIdentifier: String] {
    var known = cache.texts(of: claims.map { UserID($0.identifier.uuid) }, absent: false, within: freshness)
    var unknown = Self.first(claims.filter { known[UserID($0.identifier.uuid)] == nil })
    if !unknown.isEmpty {
      // Nearly all are there: what only reads neither locks nor writes.
      var read = try await stored(of: unknown.map { UserID($0.identifier.uuid) })
      unknown.removeAll { read[UserID($0.identifier.uuid)] != nil }
      if !unknown.isEmpty {
        let (inserted, found) = try await insert(unknown)
        read.merge(inserted) { $1 }
        read.merge(found) { $1 }
      }
      if isRemembered { cache.note(read) }
      known.merge(read) { $1 }
    }
    return Self.refused(claims.map(\.identifier), known)
  }

  /// Whether nothing is left to do for any of them, as far as this process remembers: each is stored, and not another's.
  public func know(_ identifiers: [UserIdentifier]) -> Bool { cache.know(identifiers, within: freshness) }

  /// Looks up whether identifiers are refused, and stores none.
  public func check(_ identifiers: [UserIdentifier]) async throws -> Set<UserIdentifier> {
    guard identifiers.contains(where: \.isContestable) else { return [] }
    let identifiers = identifiers.filter(\.isContestable)
    let users = Array(Set(identifiers.map { UserID($0.uuid) }))
    var known = cache.texts(of: users, absent: true)
    let unknown = users.filter { known[$0] == nil }
    if !unknown.isEmpty {
      let stored = try await stored(of: unknown)
      cache.note(stored)
      cache.note(absent: unknown.filter { stored[$0] == nil })
      known.merge(stored) { $1 }
    }
    let refused = Self.refused(identifiers, known)
    log(refused)
    return Set(refused.keys)
  }

  /// Forgets what this process remembers of an erased user.
  public func forget(_ user: UserID) { cache.forget(user) }

  // MARK: Going out

  /// What users are called; asks for those of version 5 alone, and if there are none, nothing.
  public func texts(of users: some Sequence<UserID>) async throws -> UserTexts {
    let asked = Set(users.filter(\.uuid.isVersion5))
    guard !asked.isEmpty else { return UserTexts() }
    return UserTexts(try await stored(of: Array(asked)))
  }

  /// What this process remembers that a user is called, for a log line that may come a thousand times a second; else the UUID.
  public func remembered(_ user: UserID) -> String { cache.remembered(user) ?? user.description }

  public func text(of user: UserID) async throws -> String { try await Self.text(of: user, client) }

  static func text(of user: UserID, _ client: PostgresClient) async throws -> String {
    guard user.uuid.isVersion5 else { return user.description }
    return try await client.query(reading([user])).first?.get(1) ?? user.description
  }

  // MARK: Statements

  private func stored(of users: [UserID]) async throws -> [UserID: String] {
    try Self.texts(in: try await client.query(Self.reading(users), planned: .alongIndexes))
  }

  static func reading(_ users: [UserID]) -> SQLQuery {
    """
    SELECT i.user_id, i.identifier FROM unnest(\(users)) AS k(user_id)
      CROSS JOIN LATERAL (SELECT * FROM user_identifiers WHERE user_id = k.user_id OFFSET 0) i
    """
  }

  /// - Returns: What is stored now, and what others stored meanwhile.
  private func insert(
    _ claims: [(identifier: UserIdentifier, asked: Date)]
  ) async throws -> (inserted: [UserID: String], found: [UserID: String]) {
    // In the order of ids: two that store the same people wait for each other in one direction alone.
    let claims = claims.sorted { UserID($0.identifier.uuid) < UserID($1.identifier.uuid) }
    let inserted = try Self.texts(in: try await client.query(Self.inserting(claims)))
    let others = claims.map { UserID($0.identifier.uuid) }.filter { inserted[$0] == nil }
    return (inserted, others.isEmpty ? [:] : try await stored(of: others))
  }

  /// Stores those of whom nothing is there, and who were not erased since they were asked for. A UUID is not stored for itself where
  /// somebody was erased under it: a list of before has it for a text, perhaps, which could not come back then.
  static func inserting(_ claims: [(identifier: UserIdentifier, asked: Date)]) -> SQLQuery {
    let users = claims.map { UserID($0.identifier.uuid) }
    return """
      INSERT INTO user_identifiers (user_id, identifier)
      SELECT k.user_id, k.identifier
      FROM unnest(\(users), \(claims.map(\.identifier.description)), \(claims.map(\.asked)))
        AS k(user_id, identifier, asked_at)
      WHERE NOT EXISTS (SELECT FROM erased_users e WHERE e.user_id = k.user_id
        AND (e.erased_at >= k.asked_at OR k.identifier = k.user_id::text))
      ON CONFLICT (user_id) DO NOTHING
      RETURNING user_id, identifier
      """
  }

  private static func texts(in rows: PostgresResult) throws(PostgresError) -> [UserID: String] {
    var texts: [UserID: String] = [:]
    for row in rows { texts[try row.get(0)] = try row.get(1, as: String.self) }
    return texts
  }

  /// Of each UUID the first.
  private static func first(
    _ claims: [(identifier: UserIdentifier, asked: Date)]
  ) -> [(identifier: UserIdentifier, asked: Date)] {
    var seen: Set<UUID> = []
    return claims.filter { seen.insert($0.identifier.uuid).inserted }
  }

  /// Those that are spelled otherwise than what is known, with that; an empty text is nothing known.
  private static func refused(_ identifiers: [UserIdentifier], _ known: [UserID: String]) -> [UserIdentifier: String] {
    var refused: [UserIdentifier: String] = [:]
    for identifier in identifiers {
      guard let text = known[UserID(identifier.uuid)], !text.isEmpty, !identifier.isSpelled(text) else { continue }
      refused[identifier] = text
    }
    return refused
  }

  private func log(_ refused: [UserIdentifier: String]) {
    for (identifier, stored) in refused.prefix(Self.logged) {
      logger.warning(
        "a user id is refused: its UUID is another's",
        metadata: ["user": "\(identifier)", "id": "\(UserID(identifier.uuid))", "stored": "\(stored)"]
      )
    }
    guard refused.count > Self.logged else { return }
    logger.warning("more user ids are refused", metadata: ["count": "\(refused.count - Self.logged)"])
  }
}

/// What some users are called.
public struct UserTexts: Sendable {
  private var texts: [UserID: String]

  public init(_ texts: [UserID: String] = [:]) { self.texts = texts }

  /// With those who may not be stored yet.
  public func adding(_ users: [UserIdentifier]) -> UserTexts {
    var sum = self
    for user in users { sum.texts[UserID(user.uuid)] = user.description }
    return sum
  }

  /// The user's id as it came; the UUID of whom no text is stored.
  public subscript(_ user: UserID) -> String { texts[user] ?? user.description }
}
