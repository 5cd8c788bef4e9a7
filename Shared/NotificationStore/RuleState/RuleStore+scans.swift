public import Foundation
import NotificationModel
import Postgres
public import Rules
public import WallClock

/// Daily scans for people of whom nothing has been heard.
extension RuleStore {
  /// As what people without a zone of their own stand in ``zonesInUse()`` and ``absent(_:lastDay:zones:after:limit:)``.
  public static let noZone = ""

  /// Every zone that some profile has, and ``noZone``.
  public func zonesInUse() async throws -> [String] {
    var zones = [Self.noZone]
    for row in try await client.query(Self.zonesInUse) {
      if let zone: String = try row.get(0) { zones.append(zone) }
    }
    return zones
  }

  /// Goes from zone to zone within the index, however many people each has.
  static let zonesInUse: SQLQuery = """
    WITH RECURSIVE zones(zone) AS (
      SELECT min(timezone) FROM users WHERE timezone IS NOT NULL
      UNION ALL
      SELECT (SELECT min(timezone) FROM users WHERE timezone > zone) FROM zones WHERE zone IS NOT NULL
    )
    SELECT zone FROM zones WHERE zone IS NOT NULL
    """

  /// Claims a rule's scan of a local day for zones; answers those that are the caller's to do until `until`.
  public func claimScan(_ rule: String, of day: LocalDate, zones: [String], now: Date, until: Date) async throws
    -> [String]
  {
    let rows = try await client.query(
      """
      INSERT INTO rule_scans AS s (rule, day, zone, claimed_until)
      SELECT \(rule), \(Int32(day.dayNumber)), zone, \(until) FROM unnest(\(zones.sorted())) AS z(zone) ORDER BY zone
      ON CONFLICT (rule, day, zone) DO UPDATE SET claimed_until = excluded.claimed_until
      WHERE NOT s.is_done AND s.claimed_until <= \(now)
      RETURNING zone
      """
    )
    var claimed: [String] = []
    for row in rows { claimed.append(try row.get(0)) }
    return claimed
  }

  /// Notes that a scan is done, so that no router does it again.
  public func finishScan(_ rule: String, of day: LocalDate, zones: [String]) async throws {
    _ = try await client.query(
      """
      UPDATE rule_scans SET is_done = true
      WHERE rule = \(rule) AND day = \(Int32(day.dayNumber)) AND zone = ANY(\(zones))
      """
    )
  }

  /// Up to `limit` states of a rule, in the order of their people, whose last day was `lastDay` and whose people live in
  /// `zones`.
  public func absent(
    _ rule: String,
    lastDay: LocalDate,
    zones: [String],
    after: UUID?,
    limit: Int
  ) async throws -> [RuleStateKey] {
    let rows = try await client.query(
      Self.absent(rule, lastDay: lastDay, zones: zones, after: after, limit: limit),
      planned: .inNestedLoops
    )
    return try rows.map { try Self.key($0) }
  }

  static func absent(_ rule: String, lastDay: LocalDate, zones: [String], after: UUID?, limit: Int) -> SQLQuery {
    """
    SELECT s.user_id, s.rule, s.key FROM rule_states s LEFT JOIN users u ON u.user_id = s.user_id
    WHERE s.rule = \(rule) AND s.day = \(Int32(lastDay.dayNumber)) AND s.user_id > \(after ?? nobody)
      AND coalesce(u.timezone, \(noZone)) = ANY(\(zones))
    ORDER BY s.user_id LIMIT \(limit)
    """
  }

  /// Before everybody.
  private static let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
