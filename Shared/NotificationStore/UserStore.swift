public import NotificationModel
public import Postgres

/// Profiles and preferences of users.
public struct UserStore: Sendable {
  /// What the backend tells about a person.
  public struct Profile: Sendable, Equatable {
    public var email: String?
    public var displayName: String?
    public var locale: String?
    public var timezone: String?
    public var isEnabled: Bool

    public init(email: String?, displayName: String?, locale: String?, timezone: String?, isEnabled: Bool) {
      self.email = email
      self.displayName = displayName
      self.locale = locale
      self.timezone = timezone
      self.isEnabled = isEnabled
    }
  }

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Creates or replaces a profile. A new address starts unsuppressed.
  ///
  /// - Returns: Whether the profile is new.
  public func put(_ profile: Profile, of user: UserID) async throws(PostgresError) -> Bool {
    let rows = try await client.query(
      """
      INSERT INTO users (user_id, email, display_name, locale, timezone, enabled)
      VALUES (\(user), \(profile.email), \(profile.displayName), \(profile.locale), \(profile.timezone),
        \(profile.isEnabled))
      ON CONFLICT (user_id) DO UPDATE SET
        email_status = CASE WHEN users.email IS DISTINCT FROM excluded.email THEN 0 ELSE users.email_status END,
        email = excluded.email, display_name = excluded.display_name, locale = excluded.locale,
        timezone = excluded.timezone, enabled = excluded.enabled, updated_at = now()
      RETURNING xmax = 0
      """
    )
    return try rows.first?.get(0) ?? false
  }

  /// A profile; nil if there is none.
  public func profile(of user: UserID) async throws(PostgresError) -> Profile? {
    let rows = try await client.query(
      "SELECT email, display_name, locale, timezone, enabled FROM users WHERE user_id = \(user)"
    )
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

  /// The choices a user has made, by type code.
  public func preferences(of user: UserID) async throws(PostgresError) -> [Int: PerChannel<Bool>] {
    let rows = try await client.query("SELECT type, in_app, push, email FROM preferences WHERE user_id = \(user)")
    var preferences: [Int: PerChannel<Bool>] = [:]
    for row in rows {
      preferences[try row.get(0)] = PerChannel(inApp: try row.get(1), push: try row.get(2), email: try row.get(3))
    }
    return preferences
  }

  /// Stores choices; types that are not named keep theirs.
  public func setPreferences(_ choices: [Int: PerChannel<Bool>], of user: UserID) async throws(PostgresError) {
    let types = choices.keys.sorted()
    _ = try await client.query(
      """
      INSERT INTO preferences (user_id, type, in_app, push, email)
      SELECT \(user), * FROM unnest(\(types.map { Int16(clamping: $0) }), \(types.map { choices[$0]?.inApp ?? true }),
        \(types.map { choices[$0]?.push ?? true }), \(types.map { choices[$0]?.email ?? false }))
      ON CONFLICT (user_id, type) DO UPDATE SET
        in_app = excluded.in_app, push = excluded.push, email = excluded.email, updated_at = now()
      """
    )
  }
}
