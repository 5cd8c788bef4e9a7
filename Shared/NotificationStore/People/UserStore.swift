public import Foundation
public import NotificationModel
public import Postgres

/// Profiles of users, as the backend keeps them.
public struct UserStore: Sendable {
  /// What the backend tells about a person.
  public struct Profile: Sendable, Equatable {
    public var email: String?
    public var displayName: String?
    public var locale: String?
    /// Identifier of a zone; nil is the deployment's.
    public var timezone: String?
    /// The master switch; never nil in what is read.
    public var isEnabled: Bool?

    public init(email: String?, displayName: String?, locale: String?, timezone: String?, isEnabled: Bool?) {
      self.email = email
      self.displayName = displayName
      self.locale = locale
      self.timezone = timezone
      self.isEnabled = isEnabled
    }
  }

  private let client: PostgresClient
  private let followUps: [SettingsFollowUps.Statement]

  public init(client: PostgresClient) {
    self.init(client: client, followUps: SettingsFollowUps.all)
  }

  init(client: PostgresClient, followUps: [SettingsFollowUps.Statement]) {
    self.client = client
    self.followUps = followUps
  }

  /// Creates or replaces a profile. A new address starts unsuppressed. A time zone or master switch that is nil leaves what
  /// the user chose.
  ///
  /// - Parameter check: Is told the profile that there is, while nobody else changes it; what it throws leaves all as it was.
  /// - Returns: The profile as it is now, and whether it is new.
  public func put(
    _ profile: Profile,
    of user: UserID,
    at now: Date = .now,
    if check: (Profile?) throws -> Void = { _ in }
  ) async throws -> (profile: Profile, isNew: Bool) {
    try await client.withTransaction { transaction in
      let former = try await Self.locked(user, asked: now, transaction)
      try check(former)
      var stored = profile
      stored.timezone = profile.timezone ?? former?.timezone
      stored.isEnabled = profile.isEnabled ?? former?.isEnabled ?? true
      return (stored, try await write(stored, over: former, of: user, at: now, transaction))
    }
  }

  /// Reads, changes and writes a profile; nobody else changes it meanwhile. What `change` throws leaves all as it was.
  ///
  /// - Returns: The profile as it is now; nil if there is none.
  public func change(
    of user: UserID,
    at now: Date = .now,
    _ change: (Profile) throws -> Profile
  ) async throws -> Profile? {
    try await client.withTransaction { transaction in
      guard let former = try await Self.locked(user, asked: now, transaction) else { return nil }
      let profile = try change(former)
      if profile != former { _ = try await write(profile, over: former, of: user, at: now, transaction) }
      return profile
    }
  }

  /// - Throws: ``ErasureError/erasedMeanwhile``; what the database fails with.
  private static func locked(
    _ user: UserID,
    asked: Date,
    _ transaction: PostgresTransaction
  ) async throws -> Profile? {
    let results = try await transaction.queries([
      UserLock.take(user), UserLock.erasure(of: user, since: asked), reading(user, isLocking: true),
    ])
    guard results[1].isEmpty else { throw ErasureError.erasedMeanwhile }
    return try profile(in: results[2])
  }

  /// - Returns: Whether it is new.
  private func write(
    _ profile: Profile,
    over former: Profile?,
    of user: UserID,
    at now: Date,
    _ transaction: PostgresTransaction
  ) async throws(PostgresError) -> Bool {
    let decidesOtherwise = profile.timezone != former?.timezone || profile.isEnabled != former?.isEnabled ?? true
    var statements = [Self.putting(profile, of: user, decidesOtherwise)]
    if decidesOtherwise { statements += followUps.map { $0(user, now) } }
    // A profile that begins with it off left nothing.
    if former?.isEnabled == true, profile.isEnabled == false {
      statements.append(StatStore.tally([StatStore.unsubscribedFromAll(at: now)]))
    }
    return try await transaction.queries(statements)[0].first?.get(0) ?? false
  }

  private static func putting(_ profile: Profile, of user: UserID, _ decidesOtherwise: Bool) -> SQLQuery {
    """
    INSERT INTO users (user_id, email, display_name, locale, timezone, enabled, settings_revision)
    VALUES (\(user), \(profile.email), \(profile.displayName), \(profile.locale), \(profile.timezone),
      \(profile.isEnabled), \(decidesOtherwise ? 1 : 0))
    ON CONFLICT (user_id) DO UPDATE SET
      email_status = CASE WHEN users.email IS DISTINCT FROM excluded.email THEN 0 ELSE users.email_status END,
      email = excluded.email, display_name = excluded.display_name, locale = excluded.locale,
      timezone = excluded.timezone, enabled = excluded.enabled,
      settings_revision = users.settings_revision + excluded.settings_revision, updated_at = now()
    RETURNING xmax = 0
    """
  }

  /// A profile; nil if there is none.
  public func profile(of user: UserID) async throws(PostgresError) -> Profile? {
    try Self.profile(in: try await client.query(Self.reading(user)))
  }

  private static func reading(_ user: UserID, isLocking: Bool = false) -> SQLQuery {
    """
    SELECT email, display_name, locale, timezone, enabled FROM users
    WHERE user_id = \(user)\(unescaped: isLocking ? " FOR UPDATE" : "")
    """
  }

  private static func profile(in rows: PostgresResult) throws(PostgresError) -> Profile? {
    guard let row = rows.first else { return nil }
    return Profile(
      email: try row.get(0),
      displayName: try row.get(1),
      locale: try row.get(2),
      timezone: try row.get(3),
      isEnabled: try row.get(4)
    )
  }

  /// Suppresses a mail address after a permanent refusal, if it is still the user's.
  public func suppressEmail(_ address: String, of user: UserID) async throws(PostgresError) {
    _ = try await client.query(
      """
      UPDATE users SET email_status = 1, updated_at = now()
      WHERE user_id = \(user) AND email = \(address) AND email_status = 0
      """
    )
  }
}
