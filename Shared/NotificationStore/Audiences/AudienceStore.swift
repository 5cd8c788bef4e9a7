public import NotificationModel
public import Postgres

/// In which zones an audience lives: what a schedule must know that comes at each recipient's own time.
///
/// Zones are as profiles name them; the empty text stands for people without one.
public struct AudienceStore: Sendable {
  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Members of a group up to which their own zones are read; of a larger one, all zones that anybody has.
  private static let smallGroup = 1_000

  /// The zones that the audience may be in: of a large group, all that are in use.
  public func zones(of audience: Audience) async throws(PostgresError) -> Set<String> {
    switch audience {
    case .users(let users): return try await texts(Self.zones(ofUsers: users))
    case .everyone: return try await texts(Self.zonesInUse)
    // Of nobody whom Belfry knows: the deployment's.
    case .topic: return [""]
    case .group(let group, _):
      let rows = try await client.query(
        Self.zones(ofGroup: group, limit: Self.smallGroup + 1),
        planned: .alongIndexes
      )
      var zones: Set<String> = []
      var count: Int = 0
      for row in rows {
        zones.insert(try row.get(0))
        count += try row.get(1, as: Int.self)
      }
      return count <= Self.smallGroup ? zones : try await texts(Self.zonesInUse)
    }
  }

  /// Those of the users who live in the zones, in the same order.
  public func residents(of zones: [String], among users: [UserID]) async throws(PostgresError) -> [UserID] {
    var residents: [UserID] = []
    for row in try await client.query(Self.residents(of: zones, among: users)) { residents.append(try row.get(0)) }
    return residents
  }

  // MARK: Statements

  static func zones(ofUsers users: [UserID]) -> SQLQuery {
    """
    SELECT DISTINCT coalesce(u.timezone, '') FROM unnest(\(users)) AS k(user_id)
      LEFT JOIN LATERAL (SELECT timezone FROM users WHERE user_id = k.user_id OFFSET 0) u ON true
    """
  }

  static func zones(ofGroup group: String, limit: Int) -> SQLQuery {
    """
    SELECT coalesce(u.timezone, ''), count(*)
    FROM (SELECT user_id FROM group_members WHERE group_id = \(group) ORDER BY user_id LIMIT \(limit)) m
      LEFT JOIN LATERAL (SELECT timezone FROM users WHERE user_id = m.user_id OFFSET 0) u ON true
    GROUP BY 1
    """
  }

  /// From each zone to the next along the index: as many probes as there are zones. People without a profile are in none.
  static let zonesInUse: SQLQuery = """
    WITH RECURSIVE zones AS (
      (SELECT timezone FROM users WHERE timezone IS NOT NULL ORDER BY timezone LIMIT 1)
      UNION ALL
      SELECT (SELECT u.timezone FROM users u WHERE u.timezone > z.timezone ORDER BY u.timezone LIMIT 1)
      FROM zones z WHERE z.timezone IS NOT NULL
    )
    SELECT timezone FROM zones WHERE timezone IS NOT NULL
    UNION ALL
    SELECT ''
    """

  static func residents(of zones: [String], among users: [UserID]) -> SQLQuery {
    """
    SELECT k.user_id FROM unnest(\(users)) WITH ORDINALITY AS k(user_id, position)
      LEFT JOIN LATERAL (SELECT timezone FROM users WHERE user_id = k.user_id OFFSET 0) u ON true
    WHERE coalesce(u.timezone, '') = ANY(\(zones))
    ORDER BY k.position
    """
  }

  private func texts(_ query: SQLQuery) async throws(PostgresError) -> Set<String> {
    var texts: Set<String> = []
    for row in try await client.query(query) { texts.insert(try row.get(0)) }
    return texts
  }
}
