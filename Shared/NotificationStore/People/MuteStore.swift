public import Foundation
public import NotificationModel
public import Postgres

/// What users muted: a conversation, a goal.
public struct MuteStore: Sendable {
  /// Of one user, those that have ended not counted.
  public static let maximum = 1_000

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Mutes something until a time, or for good; what was said of it before is replaced. What has ended is forgotten.
  ///
  /// - Throws: ``ErasureError/erasedMeanwhile``; what the database fails with.
  /// - Returns: False if the user has ``maximum`` others already: then nothing is muted.
  public func mute(
    _ entity: RelatedEntity,
    of user: UserID,
    until: Date?,
    at now: Date
  ) async throws -> Bool {
    let results = try await client.transaction([
      // One at a time, or the limit could be passed.
      UserLock.take(user),
      "DELETE FROM mutes WHERE user_id = \(user) AND until <= \(now)",
      """
      INSERT INTO mutes (user_id, entity_type, entity_id, until)
      SELECT \(user), \(entity.type), \(entity.id), \(until)::timestamptz
      WHERE (
        SELECT count(*) FROM mutes
        WHERE user_id = \(user) AND (entity_type, entity_id) <> (\(entity.type), \(entity.id))
      ) < \(Self.maximum)
        AND NOT EXISTS (SELECT FROM erased_users WHERE user_id = \(user) AND erased_at >= \(now))
      ON CONFLICT (user_id, entity_type, entity_id) DO UPDATE SET until = excluded.until
      RETURNING 1
      """,
      UserLock.erasure(of: user, since: now),
    ])
    guard results[3].isEmpty else { throw ErasureError.erasedMeanwhile }
    return !results[2].isEmpty
  }

  /// Ends it. What is not muted stays so.
  public func unmute(_ entity: RelatedEntity, of user: UserID) async throws(PostgresError) {
    _ = try await client.query(
      "DELETE FROM mutes WHERE user_id = \(user) AND entity_type = \(entity.type) AND entity_id = \(entity.id)"
    )
  }

  /// What is muted now, by type and id; `until` nil is for good.
  public func mutes(
    of user: UserID,
    at now: Date
  ) async throws(PostgresError) -> [(entity: RelatedEntity, until: Date?)] {
    let rows = try await client.query(
      """
      SELECT entity_type, entity_id, until FROM mutes
      WHERE user_id = \(user) AND (until IS NULL OR until > \(now))
      ORDER BY entity_type, entity_id LIMIT \(Self.maximum)
      """
    )
    var mutes: [(entity: RelatedEntity, until: Date?)] = []
    for row in rows {
      guard let entity = RelatedEntity(type: try row.get(0), id: try row.get(1)) else { continue }
      mutes.append((entity, try row.get(2)))
    }
    return mutes
  }
}
