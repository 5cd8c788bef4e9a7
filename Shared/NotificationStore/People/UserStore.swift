public import Foundation
public import NotificationModel
public import Postgres

/// Profiles of users, as the backend keeps them.
public struct UserStore: Sendable {
  /// What the backend reports about a person.
  public struct Profile: Sendable, Equatable {
    public var addresses = PerChannel<String>()
    public var displayName: String?
    public var locale: String?
    /// Identifier of a zone; nil is the deployment's.
    public var timezone: String?
    /// The master switch; never nil in what is read.
    public var isEnabled: Bool?

    public init(email: String?, displayName: String?, locale: String?, timezone: String?, isEnabled: Bool?) {
      self.displayName = displayName
      self.locale = locale
      self.timezone = timezone
      self.isEnabled = isEnabled
      self.email = email
    }

    public var email: String? {
      get { addresses[.email] }
      set { addresses[.email] = newValue }
    }
  }

  private let client: PostgresClient
  private let channels: [any RoutingChannel]
  private let followUps: [SettingsFollowUps.Statement]

  public init(client: PostgresClient, channels: [any RoutingChannel] = Channel.routing) {
    self.init(client: client, channels: channels, followUps: SettingsFollowUps.all)
  }

  init(
    client: PostgresClient,
    channels: [any RoutingChannel] = Channel.routing,
    followUps: [SettingsFollowUps.Statement]
  ) {
    self.client = client
    self.channels = channels
    self.followUps = followUps
  }

  /// Creates or replaces a profile. What suppresses an address is kept with the address (``SuppressionStore``). A time zone or master switch that is nil leaves what
  /// the user chose.
  ///
  /// - Parameter check: Is given the profile that there is, while nobody else changes it; what it throws leaves all as it was.
  /// - Returns: The profile as it is now, and whether it is new.
  public func put(
    _ profile: Profile,
    of user: UserID,
    at now: Date = .now,
    if check: (Profile?) throws -> Void = { _ in }
  ) async throws -> (profile: Profile, isNew: Bool) {
    try await client.withTransaction { transaction in
      let former = try await locked(user, asked: now, transaction)
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
      guard let former = try await locked(user, asked: now, transaction) else { return nil }
      let profile = try change(former)
      if profile != former { _ = try await write(profile, over: former, of: user, at: now, transaction) }
      return profile
    }
  }

  /// - Throws: ``ErasureError/erasedMeanwhile``; what the database fails with.
  private func locked(
    _ user: UserID,
    asked: Date,
    _ transaction: PostgresTransaction
  ) async throws -> Profile? {
    let results = try await transaction.queries([
      UserLock.take(user), UserLock.erasure(of: user, since: asked), Self.reading(user, isLocking: true),
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
    var statements = [putting(profile, of: user, decidesOtherwise)]
    if decidesOtherwise { statements += followUps.map { $0(user, now) } }
    // A profile that begins with it off left nothing.
    if former?.isEnabled == true, profile.isEnabled == false {
      statements.append(StatStore.tally([StatStore.unsubscribedFromAll(at: now)]))
    }
    return try await transaction.queries(statements)[0].first?.get(0) ?? false
  }

  /// Addresses of channels that are not ours stay as they are. `email_status` is for routers of the release before.
  private func putting(_ profile: Profile, of user: UserID, _ decidesOtherwise: Bool) -> SQLQuery {
    let names = channels.filter { $0.channel != .email && $0.address != nil }.map(\.name)
    return """
      INSERT INTO users (user_id, email, display_name, locale, timezone, enabled, settings_revision, addresses)
      VALUES (\(user), \(profile.email), \(profile.displayName), \(profile.locale), \(profile.timezone),
        \(profile.isEnabled), \(decidesOtherwise ? 1 : 0), \(profile.addresses.further(channels)))
      ON CONFLICT (user_id) DO UPDATE SET
        email_status = CASE WHEN users.email IS DISTINCT FROM excluded.email THEN 0 ELSE users.email_status END,
        email = excluded.email, display_name = excluded.display_name, locale = excluded.locale,
        timezone = excluded.timezone, enabled = excluded.enabled,
        settings_revision = users.settings_revision + excluded.settings_revision, updated_at = now(),
        addresses = nullif(coalesce(users.addresses, '{}') - \(names) || coalesce((
          SELECT jsonb_object_agg(a.key, CASE WHEN users.addresses -> a.key ->> 'address' = a.value ->> 'address'
            THEN users.addresses -> a.key ELSE a.value END)
          FROM jsonb_each(excluded.addresses) a), '{}'), '{}')
      RETURNING xmax = 0
      """
  }

  /// A profile; nil if there is none.
  public func profile(of user: UserID) async throws(PostgresError) -> Profile? {
    try profile(in: try await client.query(Self.reading(user)))
  }

  private static func reading(_ user: UserID, isLocking: Bool = false) -> SQLQuery {
    """
    SELECT email, display_name, locale, timezone, enabled, addresses FROM users
    WHERE user_id = \(user)\(unescaped: isLocking ? " FOR UPDATE" : "")
    """
  }

  private func profile(in rows: PostgresResult) throws(PostgresError) -> Profile? {
    guard let row = rows.first else { return nil }
    var profile = Profile(
      email: try row.get(0),
      displayName: try row.get(1),
      locale: try row.get(2),
      timezone: try row.get(3),
      isEnabled: try row.get(4)
    )
    if let stored = try row.get(5, as: PostgresJSON?.self) {
      var further = PerChannel<ChannelAddress>()
      further.take(stored, channels)
      for entry in further.entries { profile.addresses[entry.channel] = entry.value.text }
    }
    return profile
  }

  /// Suppresses an address of a channel other than mail after a permanent refusal, if it is still the user's. For mail addresses:
  /// ``SuppressionStore``.
  public func suppress(_ address: String, on channel: Channel, of user: UserID) async throws(PostgresError) {
    let name = channel.name(among: channels)
    _ = try await client.query(
      """
      UPDATE users SET addresses = jsonb_set(addresses, ARRAY[\(name)::text, 'suppressed'], 'true'), updated_at = now()
      WHERE user_id = \(user) AND addresses -> \(name)::text ->> 'address' = \(address)
        AND addresses -> \(name)::text ->> 'suppressed' IS DISTINCT FROM 'true'
      """
    )
  }
}
