import NotificationModel
import Postgres

/// One thing that upkeep does. Each is complete in itself; a later run goes on where one died.
struct UpkeepStep: Sendable {
  let run: @Sendable (PostgresSession, MaintenanceStore.Ages, inout MaintenanceStore.Report) async throws -> Void

  /// A statement.
  ///
  /// - Parameter count: Where the number of its rows is reported; nil: nowhere.
  init(
    _ count: (WritableKeyPath<MaintenanceStore.Report, Int> & Sendable)?,
    _ statement: @escaping @Sendable (MaintenanceStore.Ages) -> SQLQuery
  ) {
    run = { session, ages, report in
      let rows = try await session.query(statement(ages)).affectedRows
      if let count { report[keyPath: count] = rows }
    }
  }

  /// Several, or one that answers a number.
  init(
    _ count: WritableKeyPath<MaintenanceStore.Report, Int> & Sendable,
    run: @escaping @Sendable (PostgresSession, MaintenanceStore.Ages) async throws -> Int
  ) {
    self.run = { session, ages, report in
      report[keyPath: count] = try await run(session, ages)
    }
  }
}

extension UpkeepStep {
  static let idempotencyKeys = Self(\.keysDeleted) { ages in
    "DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(secs => \(ages.keyLifetime / .seconds(1)))"
  }

  static let throttleUses = Self(\.throttleUsesDeleted) { _ in
    "DELETE FROM throttle_uses WHERE used_at < now() - make_interval(secs => \(throttleMemory / .seconds(1)))"
  }

  static let newPartitions = Self(\.partitionsMade) { session, ages in
    try await session.query(
      """
      SELECT belfry_make_partitions(now() - make_interval(secs => \(ages.retention / .seconds(1))),
        now() + interval '28 days')
      """
    ).first?.get(0) ?? 0
  }

  static let staleDevices = Self(\.devicesDeactivated) { ages in
    """
    UPDATE devices SET active = false, deactivated_at = now(), deactivation_reason = 'stale'
    WHERE active AND last_used_at < now() - make_interval(secs => \(ages.staleDevice / .seconds(1)))
    """
  }

  static let deadNodes = Self(\.nodesRemoved) { _ in
    "DELETE FROM nodes WHERE seen_at < now() - interval '5 minutes'"
  }

  static let cancelledRequests = Self(nil) { ages in
    "DELETE FROM cancelled_requests WHERE cancelled_at < now() - make_interval(secs => \(ages.retention / .seconds(1)))"
  }

  /// What they would tell is gone with its partition.
  static let oldHeld = Self(nil) { ages in
    "DELETE FROM held WHERE notification_id < belfry_uuid_at(now() - make_interval(secs => \(ages.retention / .seconds(1))))"
  }

  static let presence = Self(nil) { _ in
    "DELETE FROM presence p WHERE NOT EXISTS (SELECT FROM nodes n WHERE n.node = p.node)"
  }

  static let ruleStates = Self(\.ruleStatesDeleted) { session, _ in
    try await RuleStore.dispose(session)
  }

  /// A day longer than a catalogue lets a throttle look back.
  private static let throttleMemory: Duration = .seconds(31 * 86_400)
}
