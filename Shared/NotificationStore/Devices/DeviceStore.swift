public import Foundation
public import NotificationModel
public import Postgres

/// Devices and their push tokens.
public struct DeviceStore: Sendable {
  /// A registration, as an app or a browser sends it.
  public struct Registration: Sendable {
    /// Of a browser's subscription the endpoint.
    public var token: String
    public var platform: DevicePlatform
    public var name: String?
    public var appVersion: String?
    public var keys: SubscriptionKeys?

    public init(
      token: String,
      platform: DevicePlatform,
      name: String? = nil,
      appVersion: String? = nil,
      keys: SubscriptionKeys? = nil
    ) {
      self.token = token
      self.platform = platform
      self.name = name
      self.appVersion = appVersion
      self.keys = keys
    }
  }

  /// A device as its owner sees it.
  public struct RegisteredDevice: Sendable {
    public var id: DeviceID
    /// Code of a ``DevicePlatform``, or of one that this version does not know.
    public var platform: Int
    public var name: String?
    public var isActive: Bool
    public var createdAt: Date
    public var lastUsedAt: Date

    init(_ row: PostgresRow) throws(PostgresError) {
      id = try row.get("id")
      platform = try row.get("platform")
      name = try row.get("name")
      isActive = try row.get("active")
      createdAt = try row.get("created_at")
      lastUsedAt = try row.get("last_used_at")
    }
  }

  /// Active devices a user may have; the least recently used gives way.
  public static let maximumActive = 5
  /// Devices that are kept for a user; the inactive ones beyond are deleted, the least recently used first.
  public static let maximumKept = 20

  /// Bytes of a token: longer ones do not fit into the index that keeps them unique.
  public static let maximumTokenLength = 2_048

  let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Registers a device: a known token is refreshed (and moves to this user), older tokens of the same platform and device
  /// name are deactivated, at most ``maximumActive`` stay active of those that FCM serves, and of the others,
  /// and ``maximumKept`` with those that are not. What a former user answered when
  /// asked for permission is forgotten, but is counted once for a device, whoever has it.
  ///
  /// - Parameter asked: When the user asked for it.
  /// - Throws: ``ErasureError/erasedMeanwhile`` if the user was erased at that time or later; what the database fails with.
  public func register(
    _ registration: Registration,
    of user: UserID,
    asked: Date = .now
  ) async throws -> RegisteredDevice {
    let platform = Int16(registration.platform.rawValue)
    let results = try await client.transaction([
      Self.lock(token: registration.token), Self.lockOwners(of: registration.token, and: user),
      """
      INSERT INTO devices (user_id, id, token, platform, name, app_version, keys, last_used_at)
      SELECT \(user), \(DeviceID(UUID())), \(registration.token), \(platform), \(registration.name),
        \(registration.appVersion), \(registration.keys?.json), clock_timestamp()
      WHERE NOT EXISTS (SELECT FROM erased_users WHERE user_id = \(user) AND erased_at >= \(asked))
      ON CONFLICT (token) DO UPDATE SET user_id = excluded.user_id, platform = excluded.platform, name = excluded.name,
        app_version = excluded.app_version, keys = excluded.keys, active = true, last_used_at = clock_timestamp(),
        permission = CASE WHEN devices.user_id = excluded.user_id THEN devices.permission ELSE 0 END,
        deactivated_at = NULL, deactivation_reason = NULL
      RETURNING id, platform, name, active, created_at, last_used_at
      """,
      """
      UPDATE devices SET active = false, deactivated_at = now(), deactivation_reason = 'replaced'
      WHERE user_id = \(user) AND active AND platform = \(platform) AND name = \(registration.name)
        AND token <> \(registration.token)
      """,
      """
      UPDATE devices SET active = false, deactivated_at = now(), deactivation_reason = 'limit'
      WHERE user_id = \(user) AND active AND token <> \(registration.token)
        AND (platform > \(Self.lastOfFCM)) = (\(platform) > \(Self.lastOfFCM)) AND id NOT IN (
        SELECT id FROM devices WHERE user_id = \(user) AND active AND token <> \(registration.token)
          AND (platform > \(Self.lastOfFCM)) = (\(platform) > \(Self.lastOfFCM))
        ORDER BY last_used_at DESC, id DESC LIMIT \(Self.maximumActive - 1))
      """,
      """
      DELETE FROM devices WHERE user_id = \(user) AND NOT active AND id NOT IN (
        SELECT id FROM devices WHERE user_id = \(user) AND NOT active
        ORDER BY last_used_at DESC, id DESC LIMIT \(Self.maximumKept - Self.maximumActive))
      """,
    ])
    guard let row = results[2].first else { throw ErasureError.erasedMeanwhile }
    return try RegisteredDevice(row)
  }

  /// What FCM serves has a limit of its own: devices that nobody serves yet must not push out one that is reached.
  private static let lastOfFCM = Int16(DevicePlatform.web.rawValue)

  /// One registration of a token at a time, so that whose it is stays what ``lockOwners(of:and:)`` finds.
  static func lock(token: String) -> SQLQuery { "SELECT pg_advisory_xact_lock(hashtextextended(\(token), 2))" }

  /// One registration of a user at a time, or the limit could be passed; and none of the token's present owner, whose row is
  /// taken. In order, so that two who register each other's tokens do not wait for each other.
  static func lockOwners(of token: String, and user: UserID) -> SQLQuery {
    """
    SELECT pg_advisory_xact_lock(hash) FROM (
      SELECT DISTINCT hashtextextended(owner::text, 0) AS hash
      FROM (SELECT \(user)::uuid AS owner UNION ALL SELECT user_id FROM devices WHERE token = \(token)) owners
      ORDER BY hash OFFSET 0) hashes
    """
  }

  /// A user's devices, the most recently used first; at most ``maximumKept``, and ``maximumActive`` that FCM does not serve.
  public func devices(of user: UserID) async throws(PostgresError) -> [RegisteredDevice] {
    let rows = try await client.query(
      """
      SELECT id, platform, name, active, created_at, last_used_at FROM devices
      WHERE user_id = \(user) ORDER BY last_used_at DESC, id LIMIT \(Self.maximumKept + Self.maximumActive)
      """
    )
    var devices: [RegisteredDevice] = []
    for row in rows { devices.append(try RegisteredDevice(row)) }
    return devices
  }

  /// Deactivates devices whose tokens the provider no longer knows. A token that was registered anew meanwhile stays.
  public func deactivate(
    tokens: [(user: UserID, device: DeviceID, token: String)],
    reason: String
  ) async throws(PostgresError) {
    _ = try await client.query(
      """
      UPDATE devices d SET active = false, deactivated_at = now(), deactivation_reason = \(reason)
      FROM unnest(\(tokens.map(\.user)), \(tokens.map(\.device)), \(tokens.map(\.token))) AS t(user_id, id, token)
      WHERE d.user_id = t.user_id AND d.id = t.id AND d.token = t.token AND d.active
      """
    )
  }
}
