import Embedded
public import Logging
public import Postgres

/// The schema that all services share, as append-only migrations.
public enum Schema {
  /// Every migration in order. A released file never changes; a change is a new file.
  public static let migrations = EmbeddedFile.below("Shared/NotificationStore/Migrations").map { file in
    Migration(name: file.name, sql: file.text)
  }

  /// Brings the database up to date; safe to call from several places at once.
  ///
  /// - Returns: The names of the migrations that were applied now.
  @discardableResult
  public static func migrate(_ client: PostgresClient, logger: Logger) async throws(PostgresError) -> [String] {
    try await PostgresMigrator.apply(migrations, with: client, logger: logger)
  }
}
