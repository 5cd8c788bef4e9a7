import Foundation
public import Postgres

/// Upkeep of the schema: partitions, old keys, stale tokens. Any number of routers may call it; one does the work.
public struct MaintenanceStore: Sendable {
  /// What a run did.
  public struct Report: Sendable, Equatable {
    public var partitionsMade = 0
    public var partitionsDropped = 0
    public var keysDeleted = 0
    public var devicesDeactivated = 0

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
    try await client.withTransaction { transaction in
      let lock = try await transaction.query("SELECT pg_try_advisory_xact_lock(\(Self.lockKey))")
      guard try lock.first?.get(0, as: Bool.self) == true else { return nil }
      var report = Report()
      report.partitionsMade =
        try await transaction.query(
          "SELECT belfry_make_partitions(now() - interval '7 days', now() + interval '28 days')"
        )
        .first?.get(0) ?? 0
      report.partitionsDropped =
        try await transaction.query(
          "SELECT belfry_drop_partitions(now() - make_interval(secs => \(retention / .seconds(1))))"
        ).first?.get(0) ?? 0
      report.keysDeleted = try await transaction.query(
        "DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(secs => \(keyLifetime / .seconds(1)))"
      ).affectedRows
      report.devicesDeactivated = try await transaction.query(
        """
        UPDATE devices SET active = false, deactivated_at = now(), deactivation_reason = 'stale'
        WHERE active AND last_used_at < now() - make_interval(secs => \(staleDevice / .seconds(1)))
        """
      ).affectedRows
      return report
    }
  }

  /// "belfry" in ASCII, as a number.
  private static let lockKey = 0x62_65_6C_66_72_79
}
