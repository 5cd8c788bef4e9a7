import Postgres

/// One thing that maintenance does. Each is complete in itself; a later run goes on where one died.
struct MaintenanceStep: Sendable {
  let run: @Sendable (PostgresSession, MaintenanceStore.Ages, inout MaintenanceStore.Report) async throws -> Void
}

extension MaintenanceStep {
  static let idempotencyKeys = Self { session, ages, report in
    report.keysDeleted = try await session.query(
      "DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(secs => \(ages.keyLifetime / .seconds(1)))"
    ).affectedRows
  }

  static let throttleUses = Self { session, _, report in
    report.throttleUsesDeleted = try await session.query(
      "DELETE FROM throttle_uses WHERE used_at < now() - make_interval(secs => \(throttleMemory / .seconds(1)))"
    ).affectedRows
  }

  static let newPartitions = Self { session, ages, report in
    report.partitionsMade =
      try await session.query(
        """
        SELECT belfry_make_partitions(now() - make_interval(secs => \(ages.retention / .seconds(1))),
          now() + interval '28 days')
        """
      ).first?.get(0) ?? 0
  }

  static let staleDevices = Self { session, ages, report in
    // A part at a time: an erasure waits for whoever is writing devices.
    let most = 10_000
    var changed = most
    while changed == most {
      changed = try await session.query(
        """
        UPDATE devices SET active = false, deactivated_at = now(), deactivation_reason = 'stale'
        WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM devices
          WHERE active AND last_used_at < now() - make_interval(secs => \(ages.staleDevice / .seconds(1))) LIMIT \(most)))
        """
      ).affectedRows
      report.devicesDeactivated += changed
    }
  }

  static let deadNodes = Self { session, _, report in
    report.nodesRemoved = try await session.query(
      "DELETE FROM nodes WHERE seen_at < now() - interval '5 minutes'"
    ).affectedRows
  }

  /// What is noted of requests for as long as their notifications are kept.
  static let requests = Self { session, ages, _ in
    let age = ages.retention / .seconds(1)
    for query: SQLQuery in [
      "DELETE FROM withdrawals WHERE withdrawn_at < now() - make_interval(secs => \(age))",
      "DELETE FROM cancelled_requests WHERE cancelled_at < now() - make_interval(secs => \(age))",
      "DELETE FROM requests_for_nobody WHERE routed_at < now() - make_interval(secs => \(age))",
      "DELETE FROM topic_deliveries WHERE routed_at < now() - make_interval(secs => \(age))",
    ] { _ = try await session.query(query) }
  }

  /// What they would deliver is gone with its partition.
  static let oldHeld = Self { session, ages, _ in
    _ = try await session.query(
      "DELETE FROM held WHERE notification_id < belfry_uuid_at(now() - make_interval(secs => \(ages.retention / .seconds(1))))"
    )
  }

  /// A day longer than one is asked for.
  static let softBounces = Self { session, _, _ in
    _ = try await session.query("DELETE FROM soft_bounces WHERE at < now() - interval '8 days'")
  }

  static let presence = Self { session, _, _ in
    _ = try await session.query("DELETE FROM presence p WHERE NOT EXISTS (SELECT FROM nodes n WHERE n.node = p.node)")
  }

  static let ruleStates = Self { session, _, report in
    report.ruleStatesDeleted = try await RuleStore.dispose(session)
  }

  /// A day longer than a catalogue lets a throttle look back.
  private static let throttleMemory: Duration = .seconds(31 * 86_400)
}
