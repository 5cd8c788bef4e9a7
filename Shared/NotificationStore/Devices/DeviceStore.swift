public import Foundation
public import NotificationModel
public import Postgres

/// Devices and their push tokens.
public struct DeviceStore: Sendable {
  /// A registration, as an app or a browser sends it.
  public struct Registration: Sendable {
    /// Of a browser's subscription the endpoint, of an installation of FCM its id (`fid`).
    public var token: String
    public var platform: DevicePlatform
    public var name: String?
    public var appVersion: String?
    public var keys: SubscriptionKeys?
    /// What `token` is to FCM.
    public var kind: DeviceAddressKind
    /// The app's own id; nil if it does not say.
    public var installation: UUID?
    /// Where a token of APNs is valid; when it was registered is of no interest here.
    public var apns: APNsAddress?
    /// Of a browser's subscription: id of the VAPID key that it was made with.
    public var vapidKey: String?
    /// Whether the browser has said so; else it is the deployment's of today, which holds for a subscription that is not known yet.
    public var isVAPIDKeySaid: Bool

    public init(
      token: String,
      platform: DevicePlatform,
      name: String? = nil,
      appVersion: String? = nil,
      keys: SubscriptionKeys? = nil,
      kind: DeviceAddressKind = .token,
      installation: UUID? = nil,
      apns: APNsAddress? = nil,
      vapidKey: String? = nil,
      isVAPIDKeySaid: Bool = false
    ) {
      self.token = token
      self.platform = platform
      self.name = name
      self.appVersion = appVersion
      self.keys = keys
      self.kind = kind
      self.installation = installation
      self.apns = apns
      self.vapidKey = vapidKey
      self.isVAPIDKeySaid = isVAPIDKeySaid
    }
  }

  /// A device as its owner sees it.
  public struct RegisteredDevice: Sendable {
    public var id: DeviceID
    /// Code of a ``DevicePlatform``, or of one that this version does not know.
    public var platform: Int
    /// What its address is to FCM; nil of one that this version does not know.
    public var kind: DeviceAddressKind?
    /// The app's own id.
    public var installation: UUID?
    public var name: String?
    public var isActive: Bool
    public var createdAt: Date
    public var lastUsedAt: Date

    init(_ row: PostgresRow) throws(PostgresError) {
      id = try row.get("id")
      platform = try row.get("platform")
      kind = DeviceAddressKind(rawValue: try row.get("address_kind"))
      installation = try row.get("installation")
      name = try row.get("name")
      isActive = try row.get("active")
      createdAt = try row.get("created_at")
      lastUsedAt = try row.get("last_used_at")
    }
  }

  /// Active devices a user may have, of whatever provider; the least recently used gives way.
  public static let maximumActive = 5
  /// Devices that are kept for a user; the inactive ones beyond are deleted, the least recently used first.
  public static let maximumKept = 20

  /// Bytes of a token: longer ones do not fit into the index that keeps them unique.
  public static let maximumTokenLength = 2_048

  /// What ``RegisteredDevice`` is read from.
  static let shownColumns = "id, platform, address_kind, installation, name, active, created_at, last_used_at"

  let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// A user's devices, the most recently used first; at most ``maximumKept``, and as many more as a release before
  /// kept active.
  public func devices(of user: UserID) async throws(PostgresError) -> [RegisteredDevice] {
    let rows = try await client.query(
      """
      SELECT \(unescaped: Self.shownColumns) FROM devices
      WHERE user_id = \(user) ORDER BY last_used_at DESC, id LIMIT \(Self.maximumKept + Self.maximumActive)
      """
    )
    var devices: [RegisteredDevice] = []
    for row in rows { devices.append(try RegisteredDevice(row)) }
    return devices
  }

  /// Deactivates devices whose tokens the provider no longer knows. A token that was registered anew stays: after `goneSince`,
  /// where the provider names a time, or as another one.
  public func deactivate(
    tokens: [(user: UserID, device: DeviceID, token: String, goneSince: Date?)],
    reason: String
  ) async throws(PostgresError) {
    _ = try await client.query(
      """
      UPDATE devices d SET active = false, deactivated_at = now(), deactivation_reason = \(reason)
      FROM unnest(
        \(tokens.map(\.user)), \(tokens.map(\.device)), \(tokens.map(\.token)), \(tokens.map(\.goneSince))
      ) AS t(user_id, id, token, gone_since)
      WHERE d.user_id = t.user_id AND d.id = t.id AND d.token = t.token AND d.active
        AND (t.gone_since IS NULL OR coalesce(d.registered_at, d.last_used_at) <= t.gone_since)
      """
    )
  }
}
