import NotificationStore
public import Postgres

/// What a test's database holds when the test begins: made once on each server, and copied for each test.
public final class DatabaseContents: Sendable {
  let name: String
  /// What was there before; nil: nothing at all.
  let base: DatabaseContents?
  let fill: @Sendable (PostgresClient) async throws -> Void

  /// Whether it is more than a schema.
  var isLarge: Bool { base != nil }

  /// What `fill` adds to what another one holds.
  ///
  /// - Parameter name: Small letters and underscores, that nothing else of the process is called by.
  public convenience init(
    _ name: String,
    on base: DatabaseContents = .migrated,
    fill: @escaping @Sendable (PostgresClient) async throws -> Void
  ) {
    self.init(name: name, base: base, fill: fill)
  }

  private init(
    name: String,
    base: DatabaseContents?,
    fill: @escaping @Sendable (PostgresClient) async throws -> Void
  ) {
    self.name = name
    self.base = base
    self.fill = fill
  }

  /// Nothing at all.
  public static let empty = DatabaseContents(name: "empty", base: nil) { _ in }
  /// Belfry's schema.
  public static let migrated = DatabaseContents(name: "migrated", base: nil) { client in
    _ = try await Schema.migrate(client, logger: .quiet)
  }
}
