public import Foundation
public import Logging
public import NotificationModel
public import Postgres
public import UserIdentity

/// Which text a user's UUID stands for (decision 0088). UUIDs of other versions than 5 are never asked for.
public struct UserIdentifierStore: Sendable {
  private let client: PostgresClient
  private let cache: UserIdentifierCache
  private let logger: Logger

  /// - Parameter capacity: Identifiers that need not be asked for again within a minute.
  public init(client: PostgresClient, capacity: Int = 65_536, logger: Logger) {
    self.client = client
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
    var claims = claims.filter { $0.identifier.isContestable }
    var known = cache.texts(of: claims.map { UserID($0.identifier.uuid) }, absent: false)
    var unknown = Self.first(claims.filter { known[UserID($0.identifier.uuid)] == nil })
    if !unknown.isEmpty {
      // Nearly all are there: what only reads neither locks nor writes.
      known.merge(try await stored(of: unknown.map { UserID($0.identifier.uuid) })) { $1 }
      unknown.removeAll { known[UserID($0.identifier.uuid)] != nil }
    }
    if !unknown.isEmpty {
      let (inserted, found) = try await insert(unknown)
      known.merge(inserted) { $1 }
      known.merge(found) { $1 }
    }
    cache.note(known)
    claims.removeAll { claim in known[UserID(claim.identifier.uuid)].map(claim.identifier.isSpelled) ?? true }
    return refused(claims.map(\.identifier), known)
  }

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
    return refused(
      identifiers.filter { identifier in
        let text = known[UserID(identifier.uuid)] ?? ""
        return !text.isEmpty && !identifier.isSpelled(text)
      },
      known
    )
  }

  /// Forgets what this process remembers of an erased user. Others remember it for a minute at most.
  public func forget(_ user: UserID) { cache.forget(user) }

  // MARK: Going out

  /// What users are called; asks for those of version 5 alone, and if there are none, nothing.
  public func texts(of users: some Sequence<UserID>) async throws -> UserTexts {
    let asked = Set(users.filter(\.uuid.isVersion5))
    guard !asked.isEmpty else { return UserTexts() }
    return UserTexts(try await stored(of: Array(asked)))
  }

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
    let users = claims.map { UserID($0.identifier.uuid) }
    let statement: SQLQuery = """
      INSERT INTO user_identifiers (user_id, identifier)
      SELECT k.user_id, k.identifier
      FROM unnest(\(users), \(claims.map(\.identifier.description)), \(claims.map(\.asked)))
        AS k(user_id, identifier, asked_at)
      WHERE NOT EXISTS (SELECT FROM erased_users e WHERE e.user_id = k.user_id AND e.erased_at >= k.asked_at)
      ON CONFLICT (user_id) DO NOTHING
      RETURNING user_id, identifier
      """
    let inserted = try Self.texts(in: try await client.query(statement))
    let others = users.filter { inserted[$0] == nil }
    return (inserted, others.isEmpty ? [:] : try await stored(of: others))
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

  private func refused(_ identifiers: [UserIdentifier], _ known: [UserID: String]) -> Set<UserIdentifier> {
    let refused = Set(identifiers)
    for identifier in refused {
      logger.warning(
        "a user id is refused: its UUID is another's",
        metadata: [
          "user": "\(identifier)", "id": "\(UserID(identifier.uuid))",
          "stored": "\(known[UserID(identifier.uuid)] ?? "")",
        ]
      )
    }
    return refused
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
