import Foundation
import NotificationModel
import Postgres

/// What ``SuppressionStore`` asks. Addresses are canonical.
extension SuppressionStore {
  // MARK: Evidence

  /// - Parameter rows: Each address and reason once.
  static func suppressing(_ rows: [SuppressionDraft.Row]) -> SQLQuery {
    """
    INSERT INTO suppressions AS s (address, reason, since, source, diagnostic, last_at, user_id)
    SELECT e.address, e.reason, e.since, e.source, e.diagnostic, e.last_at, e.user_id
    FROM unnest(\(rows.map(\.address)), \(rows.map(\.reason.rawValue)), \(rows.map(\.since)), \(rows.map(\.source)),
      \(rows.map(\.diagnostic)), \(rows.map(\.lastAt)), \(rows.map(\.user)), \(rows.map(\.asked)))
      AS e(address, reason, since, source, diagnostic, last_at, user_id, asked)
    WHERE NOT EXISTS (SELECT FROM erased_users x WHERE x.user_id = e.user_id AND x.erased_at >= e.asked)
    ORDER BY e.address, e.reason
    \(unescaped: onConflict)
    """
  }

  /// One that is there already stays.
  static func counting(_ rows: [SuppressionDraft.SoftBounce]) -> SQLQuery {
    """
    INSERT INTO soft_bounces (address, occurrence, at, code, user_id)
    SELECT e.address, e.occurrence, e.at, e.code, e.user_id
    FROM unnest(\(rows.map(\.address)), \(rows.map(\.occurrence)), \(rows.map(\.at)), \(rows.map(\.code)),
      \(rows.map(\.user)), \(rows.map(\.asked))) AS e(address, occurrence, at, code, user_id, asked)
    WHERE NOT EXISTS (SELECT FROM erased_users x WHERE x.user_id = e.user_id AND x.erased_at >= e.asked)
    ORDER BY e.address, e.occurrence
    ON CONFLICT (address, occurrence) DO NOTHING
    """
  }

  /// Those of which another mail was refused within a week.
  ///
  /// - Parameter suspects: Each address once.
  static func suppressing(repeated suspects: [(row: SuppressionDraft.Row, occurrence: String)]) -> SQLQuery {
    let rows = suspects.map(\.row)
    return """
      INSERT INTO suppressions AS s (address, reason, since, source, diagnostic, last_at, user_id)
      SELECT e.address, e.reason, e.since, e.source, e.diagnostic, e.last_at, e.user_id
      FROM unnest(\(rows.map(\.address)), \(rows.map(\.reason.rawValue)), \(rows.map(\.since)), \(rows.map(\.source)),
        \(rows.map(\.diagnostic)), \(rows.map(\.lastAt)), \(rows.map(\.user)), \(rows.map(\.asked)),
        \(suspects.map(\.occurrence)))
        AS e(address, reason, since, source, diagnostic, last_at, user_id, asked, occurrence)
      WHERE NOT EXISTS (SELECT FROM erased_users x WHERE x.user_id = e.user_id AND x.erased_at >= e.asked)
        AND EXISTS (
          SELECT FROM soft_bounces b WHERE b.address = e.address AND b.occurrence <> e.occurrence
            AND b.at BETWEEN e.last_at - interval '7 days' AND e.last_at + interval '7 days' OFFSET 0
        )
      ORDER BY e.address
      \(unescaped: onConflict)
      """
  }

  /// Since the first, in the words of the last.
  private static let onConflict = """
    ON CONFLICT (address, reason) DO UPDATE SET since = least(s.since, excluded.since),
      source = CASE WHEN excluded.last_at >= s.last_at THEN excluded.source ELSE s.source END,
      diagnostic = CASE WHEN excluded.last_at >= s.last_at THEN coalesce(excluded.diagnostic, s.diagnostic)
        ELSE coalesce(s.diagnostic, excluded.diagnostic) END,
      last_at = greatest(s.last_at, excluded.last_at), user_id = coalesce(s.user_id, excluded.user_id)
    """

  // MARK: By hand

  /// One that is there already stays as it is, and is answered.
  static func adding(_ address: String, at now: Date) -> SQLQuery {
    """
    INSERT INTO suppressions AS s (address, reason, since, source, last_at)
    VALUES (\(address), \(SuppressionReason.manual.rawValue), \(now), 'admin', \(now))
    ON CONFLICT (address, reason) DO UPDATE SET last_at = s.last_at
    RETURNING \(unescaped: Suppression.columns), xmax = 0 AS is_new
    """
  }

  static func removing(_ address: String) -> SQLQuery {
    "DELETE FROM suppressions WHERE address = \(address) RETURNING reason"
  }

  static func forgetting(_ address: String) -> SQLQuery { "DELETE FROM soft_bounces WHERE address = \(address)" }

  // MARK: Reading

  static func of(_ user: UserID) -> SQLQuery {
    """
    SELECT reason, since FROM suppressions
    WHERE address = (SELECT belfry_mail_address(email) FROM users WHERE user_id = \(user))
    ORDER BY address, reason LIMIT 1
    """
  }

  static func all(after cursor: Suppression.Cursor, limit: Int) -> SQLQuery {
    """
    SELECT \(unescaped: Suppression.columns) FROM suppressions
    WHERE (since, address, reason) < (\(cursor.since), \(cursor.address), \(cursor.reason.rawValue))
    ORDER BY since DESC, address DESC, reason DESC LIMIT \(limit)
    """
  }

  static func of(_ reason: SuppressionReason, after cursor: Suppression.Cursor, limit: Int) -> SQLQuery {
    """
    SELECT \(unescaped: Suppression.columns) FROM suppressions
    WHERE reason = \(reason.rawValue) AND (since, address) < (\(cursor.since), \(cursor.address))
    ORDER BY since DESC, address DESC LIMIT \(limit)
    """
  }

  /// There are no more than there are reasons.
  static func of(
    _ address: String,
    _ reason: SuppressionReason?,
    after cursor: Suppression.Cursor,
    limit: Int
  ) -> SQLQuery {
    """
    SELECT \(unescaped: Suppression.columns) FROM suppressions
    WHERE address = \(address) AND reason = coalesce(\(reason?.rawValue), reason)
      AND (since, address, reason) < (\(cursor.since), \(cursor.address), \(cursor.reason.rawValue))
    ORDER BY since DESC, address DESC, reason DESC LIMIT \(limit)
    """
  }
}
