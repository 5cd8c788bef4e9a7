public import Foundation
public import NotificationModel
public import Postgres

/// Groups of users: families, conversations, teams, and everyone. A group is there as long as it has members.
public struct GroupStore: Sendable {
  /// Members of one group.
  public static let maximumMembers = 10_000_000

  private let client: PostgresClient
  private let limits: GroupLimits

  public init(client: PostgresClient) {
    self.init(client: client, limits: GroupLimits())
  }

  init(client: PostgresClient, limits: GroupLimits) {
    self.client = client
    self.limits = limits
  }

  // MARK: Reading

  /// Some members of a group, in order of their ids, and how many it has.
  public struct Page: Sendable, Equatable {
    public let count: Int
    public let members: [UserID]
  }

  /// Up to `limit` members after `after`; nil if there is no such group.
  public func page(of group: String, after: UserID? = nil, limit: Int) async throws(PostgresError) -> Page? {
    let results = try await client.transaction(
      [Self.count(of: group), Self.members(of: group, after: after, limit: limit)],
      planned: .alongIndexes
    )
    guard let count = try Self.count(in: results[0]) else { return nil }
    return Page(count: count, members: try Self.members(in: results[1]))
  }

  /// Up to `limit` members in order of their ids, after `after`.
  public func members(
    of group: String,
    after: UserID? = nil,
    limit: Int
  ) async throws(PostgresError) -> [UserID] {
    try Self.members(in: try await client.query(Self.members(of: group, after: after, limit: limit)))
  }

  /// Up to `limit` of all who have a profile, in order of their ids, after `after`.
  public func everyone(after: UserID? = nil, limit: Int) async throws(PostgresError) -> [UserID] {
    let read = Self.everyone(after: after, limit: limit)
    return try Self.members(in: try await client.query(read, planned: .alongIndexes))
  }

  // MARK: Changing

  // Who was erased at the time `asked` or later is passed over: a list that was on its way makes nobody a member again.

  /// Makes `members` the group's members, no more and no fewer; an empty list deletes the group. All of it at once, but of a group
  /// of more than 200,000 the others go a page at a time, after the new ones came: whoever fails in between repeats it. Of several
  /// that overlap the one that began last wins whole.
  ///
  /// - Parameter asked: When the caller asked for it.
  public func replace(_ group: String, members: [UserID], asked: Date = .now) async throws {
    _ = try await rewrite(group, members: members, asked: asked)
  }

  /// Removes all members; of more than 200,000 a page at a time. Who is added meanwhile may stay.
  ///
  /// - Returns: Whether there was such a group.
  public func delete(_ group: String) async throws -> Bool {
    try await rewrite(group, members: [], asked: .now) != nil
  }

  /// Adds members; who is one already is passed over.
  ///
  /// - Parameter asked: When the caller asked for it.
  /// - Returns: How many there are now; nil if these would be too many, and then nobody is added.
  public func add(_ members: [UserID], to group: String, asked: Date = .now) async throws -> Int? {
    do {
      return try await client.withTransaction { transaction in
        let rows = try await transaction.query(
          Self.count(of: group),
          after: [Self.lock(group), Self.adding(members, to: group, asked: asked)],
          planned: .alongIndexes
        )
        let count = try Self.count(in: rows) ?? 0
        if count > limits.maximum { throw Full() }
        return count
      }
    } catch is Full {
      return nil
    }
  }

  /// Removes a member; who is none is none.
  public func remove(_ member: UserID, from group: String) async throws {
    try await client.withTransaction { transaction in
      _ = try await transaction.query(
        Self.removing([member], from: group),
        after: [Self.lock(group)],
        planned: .alongIndexes
      )
    }
  }

  /// What is thrown so that nothing is added.
  private struct Full: Error {}

  /// - Returns: How many members there were; nil if there was no such group.
  private func rewrite(_ group: String, members: [UserID], asked: Date) async throws -> Int? {
    let (former, replacement) = try await begin(group, members: members, asked: asked)
    if let replacement { try await go(on: replacement) }
    return former
  }

  /// A replacement of which the new members are there, and former ones may still be.
  struct Replacement: Sendable {
    let id: UUID
    let group: String
    let members: Set<UserID>
  }

  /// Replaces a group at once, or if it is large begins to. Either way the replacement that went on before ends, so that of
  /// several which overlap the one that began last is what holds.
  ///
  /// - Returns: How many members there were, nil if there was no such group; and what is to go on.
  func begin(
    _ group: String,
    members: [UserID],
    asked: Date = .now
  ) async throws -> (former: Int?, replacement: Replacement?) {
    // On a connection of its own, like all that changes groups: whoever waits for the lock lets nobody else wait.
    try await client.withTransaction { transaction in
      let rows = try await transaction.query(
        Self.count(of: group),
        after: [Self.lock(group)],
        planned: .alongIndexes
      )
      let former = try Self.count(in: rows)
      guard former ?? 0 > limits.atOnce else {
        _ = try await transaction.queries([Self.replacing(group, members: members, asked: asked), Self.end(of: group)])
        return (former, nil)
      }
      let begun = try await transaction.queries([Self.adding(members, to: group, asked: asked), Self.begin(group)])
      guard let id = try begun[1].first?.get(0, as: UUID.self) else { return (former, nil) }
      return (former, Replacement(id: id, group: group, members: Set(members)))
    }
  }

  /// Removes former members along the ids, so that what is gone is not passed again; no further where another replacement has
  /// begun.
  func go(on replacement: Replacement) async throws {
    var after: UserID?
    repeat {
      let read = Self.members(of: replacement.group, after: after, limit: limits.page)
      after = try await client.withTransaction { transaction in
        let results = try await transaction.queries(
          [Self.lock(replacement.group), Self.replacement(of: replacement.group), read],
          planned: .alongIndexes
        )
        guard try results[1].first?.get(0, as: UUID?.self) == replacement.id else { return nil }
        let page = try Self.members(in: results[2])
        let others = page.filter { !replacement.members.contains($0) }
        if !others.isEmpty { _ = try await transaction.query(Self.removing(others, from: replacement.group)) }
        return page.last
      }
    } while after != nil
  }

  private static func members(in rows: PostgresResult) throws(PostgresError) -> [UserID] {
    var members: [UserID] = []
    for row in rows { members.append(try row.get(0)) }
    return members
  }

  private static func count(in rows: PostgresResult) throws(PostgresError) -> Int? {
    try rows.first?.get(0)
  }
}

/// From which sizes groups are changed otherwise.
struct GroupLimits: Sendable {
  /// Members of one group.
  var maximum = GroupStore.maximumMembers
  /// Members that are replaced in one statement: within the query timeout, and no longer a lock than that.
  var atOnce = 200_000
  /// Members that are removed in one transaction where there are more.
  var page = 10_000
}
