import Postgres

extension MaintenanceStep {
  /// Nothing waits anywhere for so long: a send is at most a year ahead.
  static let erasedUsers = Self { session, _, _ in
    _ = try await session.query("DELETE FROM erased_users WHERE erased_at < now() - interval '400 days'")
  }

  static let audit = Self { session, _, _ in
    _ = try await session.query("DELETE FROM audit WHERE at < now() - interval '400 days'")
  }
}
