import Foundation
import NotificationModel
public import Postgres

/// Upkeep of the schema: partitions, old keys and throttle uses, stale tokens, dead nodes. Any number of routers may call it; one does the work.
public struct MaintenanceStore: Sendable {
  /// What a run did.
  public struct Report: Sendable, Equatable {
    public var partitionsMade = 0
    public var partitionsDropped = 0
    public var keysDeleted = 0
    /// What throttles let through, so long ago that none looks at it any more.
    public var throttleUsesDeleted = 0
    public var devicesDeactivated = 0
    /// In-app nodes that ended without a word, and what was looked at over them.
    public var nodesRemoved = 0
    /// What rules remembered of what is long over.
    public var ruleStatesDeleted = 0

    public init() {}
  }

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Runs once, or answers nil if another service is at it.
  ///
  /// - Parameters:
  ///   - retention: Age at which notifications and deliveries are dropped, whole weeks at a time.
  ///   - keyLifetime: Age at which idempotency keys are forgotten.
  ///   - staleDevice: Disuse after which a device is deactivated.
  public func run(
    retention: Duration,
    keyLifetime: Duration,
    staleDevice: Duration
  ) async throws -> Report? {
    // Not one transaction: locks on the tables and on inboxes would add up, and writers take them in another order.
    try await client.withConnection(hasDeadlines: false) { session in
      let lock = try await session.query("SELECT pg_try_advisory_lock(\(Self.lockKey))")
      guard try lock.first?.get(0, as: Bool.self) == true else { return nil }
      var report = Report()
      // Keys first: as long as one is known, so is the week in which its request is stored.
      report.keysDeleted = try await session.query(
        "DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(secs => \(keyLifetime / .seconds(1)))"
      ).affectedRows
      report.throttleUsesDeleted = try await session.query(
        "DELETE FROM throttle_uses WHERE used_at < now() - make_interval(secs => \(Self.throttleMemory / .seconds(1)))"
      ).affectedRows
      report.partitionsDropped = try await dropPartitions(olderThan: retention, session)
      report.partitionsMade =
        try await session.query(
          """
          SELECT belfry_make_partitions(now() - make_interval(secs => \(retention / .seconds(1))),
            now() + interval '28 days')
          """
        ).first?.get(0) ?? 0
      report.devicesDeactivated = try await session.query(
        """
        UPDATE devices SET active = false, deactivated_at = now(), deactivation_reason = 'stale'
        WHERE active AND last_used_at < now() - make_interval(secs => \(staleDevice / .seconds(1)))
        """
      ).affectedRows
      report.nodesRemoved = try await session.query(
        "DELETE FROM nodes WHERE seen_at < now() - interval '5 minutes'"
      ).affectedRows
      _ = try await session.query(
        "DELETE FROM cancelled_requests WHERE cancelled_at < now() - make_interval(secs => \(retention / .seconds(1)))"
      )
      // What they would tell is gone with its partition.
      _ = try await session.query(
        "DELETE FROM held WHERE notification_id < belfry_uuid_at(now() - make_interval(secs => \(retention / .seconds(1))))"
      )
      _ = try await session.query(
        "DELETE FROM presence p WHERE NOT EXISTS (SELECT FROM nodes n WHERE n.node = p.node)"
      )
      report.ruleStatesDeleted = try await RuleStore.dispose(session)
      return report
    }
  }

  /// Detaches old partitions, corrects the counters, drops them. Each step is complete in itself; a later run goes on where
  /// one died. Readers and writers go on meanwhile.
  private func dropPartitions(olderThan retention: Duration, _ session: PostgresSession) async throws -> Int {
    let partitions = try await session.query(
      """
      SELECT name, parent, is_attached, is_detaching
      FROM belfry_old_partitions(now() - make_interval(secs => \(retention / .seconds(1))))
      """
    )
    for partition in partitions {
      let name: String = try partition.get("name")
      let parent: String = try partition.get("parent")
      if try partition.get("is_detaching") {
        try await session.script("ALTER TABLE \(parent) DETACH PARTITION \(name) FINALIZE")
      } else if try partition.get("is_attached") {
        try await session.script("ALTER TABLE \(parent) DETACH PARTITION \(name) CONCURRENTLY")
      }
      if parent == "notifications" {
        var last: UserID?
        repeat {
          last = try await session.query(
            "SELECT belfry_empty_partition(\(name), \(last), \(Self.usersAtOnce)) AS last"
          ).first?.get(0)
        } while last != nil
      }
      try await session.script("DROP TABLE \(name)")
    }
    return partitions.count
  }

  /// A day longer than a catalogue lets a throttle look back.
  private static let throttleMemory: Duration = .seconds(31 * 86_400)
  /// Users whose counters are corrected in one transaction.
  private static let usersAtOnce: Int32 = 1_000
  /// "belfry" in ASCII, as a number.
  private static let lockKey = 0x62_65_6C_66_72_79
}
