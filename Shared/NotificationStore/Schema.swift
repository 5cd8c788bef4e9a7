public import Logging
public import Postgres

/// The schema that all services share, as append-only migrations.
public enum Schema {
  /// Every migration in order. A released file never changes; a change is a new file.
  public static let migrations: [Migration] = [
    Migration(name: "m0001_initial.sql", sql: String(decoding: PackageResources.m0001_initial_sql, as: UTF8.self)),
    Migration(name: "m0002_presence.sql", sql: String(decoding: PackageResources.m0002_presence_sql, as: UTF8.self)),
    Migration(name: "m0003_devices.sql", sql: String(decoding: PackageResources.m0003_devices_sql, as: UTF8.self)),
    Migration(name: "m0004_seq_order.sql", sql: String(decoding: PackageResources.m0004_seq_order_sql, as: UTF8.self)),
    Migration(name: "m0005_decisions.sql", sql: String(decoding: PackageResources.m0005_decisions_sql, as: UTF8.self)),
    Migration(name: "m0006_reasons.sql", sql: String(decoding: PackageResources.m0006_reasons_sql, as: UTF8.self)),
    Migration(name: "m0007_settings.sql", sql: String(decoding: PackageResources.m0007_settings_sql, as: UTF8.self)),
    Migration(name: "m0008_held.sql", sql: String(decoding: PackageResources.m0008_held_sql, as: UTF8.self)),
    Migration(name: "m0009_schedules.sql", sql: String(decoding: PackageResources.m0009_schedules_sql, as: UTF8.self)),
    Migration(name: "m0010_rules.sql", sql: String(decoding: PackageResources.m0010_rules_sql, as: UTF8.self)),
    Migration(name: "m0011_requests.sql", sql: String(decoding: PackageResources.m0011_requests_sql, as: UTF8.self)),
    Migration(name: "m0012_inbox.sql", sql: String(decoding: PackageResources.m0012_inbox_sql, as: UTF8.self)),
    Migration(name: "m0013_devices.sql", sql: String(decoding: PackageResources.m0013_devices_sql, as: UTF8.self)),
    Migration(name: "m0014_directory.sql", sql: String(decoding: PackageResources.m0014_directory_sql, as: UTF8.self)),
    Migration(name: "m0015_erasure.sql", sql: String(decoding: PackageResources.m0015_erasure_sql, as: UTF8.self)),
    Migration(
      name: "m0016_statistics.sql",
      sql: String(decoding: PackageResources.m0016_statistics_sql, as: UTF8.self)
    ),
    Migration(name: "m0017_api_keys.sql", sql: String(decoding: PackageResources.m0017_api_keys_sql, as: UTF8.self)),
  ]

  /// Brings the database up to date; safe to call from several places at once.
  ///
  /// - Returns: The names of the migrations that were applied now.
  @discardableResult
  public static func migrate(_ client: PostgresClient, logger: Logger) async throws(PostgresError) -> [String] {
    try await PostgresMigrator.apply(migrations, with: client, logger: logger)
  }
}
