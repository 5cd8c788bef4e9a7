public import Foundation
public import NotificationModel
import Postgres

extension DeviceStore {
  /// Registers a device: a known address is refreshed, and moves to this user.
  ///
  /// Devices that it replaces are deactivated: those of the same platform and device name, those of the same installation
  /// with the same provider, and the tokens `<fid>:…` of an installation id of FCM, whose ever they are. A token that comes after the user's
  /// installation id is kept, but not active. At most ``maximumActive`` stay active, and ``maximumKept`` with those that are not.
  /// What a former user answered when asked for permission is forgotten, but is counted once for a device, whoever has it.
  ///
  /// - Parameter asked: When the user asked for it.
  /// - Throws: ``ErasureError/erasedMeanwhile`` if the user was erased at that time or later; what the database fails with.
  public func register(
    _ registration: Registration,
    of user: UserID,
    asked: Date = .now
  ) async throws -> RegisteredDevice {
    let insertion = [
      Self.lock(registration), Self.lockOwners(of: registration, and: user),
      Self.insertion(of: registration, of: user, asked: asked),
    ]
    var statements = insertion
    if let superseding = Self.superseding(by: registration, of: user) { statements.append(superseding) }
    statements += [
      Self.replacing(by: registration, of: user), Self.inheriting(registration, of: user),
      Self.limiting(besides: registration.token, of: user),
      Self.forgetting(of: user),
    ]
    let results = try await client.transaction(statements)
    guard let row = results[insertion.count - 1].first else { throw ErasureError.erasedMeanwhile }
    return try RegisteredDevice(row)
  }

  /// One registration of an address at a time, and of an installation of FCM, so that whose they are stays what
  /// ``lockOwners(of:and:)`` finds. In order, so that two registrations do not wait for each other.
  static func lock(_ registration: Registration) -> SQLQuery {
    let texts = [registration.token, registration.tokenInstallation].compactMap { $0 }
    return """
      SELECT pg_advisory_xact_lock(hash) FROM (
        SELECT DISTINCT hashtextextended(text, 2) AS hash FROM unnest(\(texts)) AS t(text) ORDER BY hash OFFSET 0) hashes
      """
  }

  /// One registration of a user at a time, or the limit could be passed; and none of those whose rows are changed. In order, so that two
  /// who register each other's tokens do not wait for each other.
  static func lockOwners(of registration: Registration, and user: UserID) -> SQLQuery {
    let token = registration.token
    guard registration.kind == .installation else {
      return """
        SELECT pg_advisory_xact_lock(hash) FROM (
          SELECT DISTINCT hashtextextended(owner::text, 0) AS hash FROM (
            SELECT \(user)::uuid AS owner UNION ALL
            SELECT user_id FROM devices WHERE token IN (\(token), \(registration.tokenInstallation ?? token))) owners
          ORDER BY hash OFFSET 0) hashes
        """
    }
    return """
      SELECT pg_advisory_xact_lock(hash) FROM (
        SELECT DISTINCT hashtextextended(owner::text, 0) AS hash FROM (
          SELECT \(user)::uuid AS owner UNION ALL
          SELECT user_id FROM devices WHERE token = \(token) UNION ALL
          SELECT user_id FROM devices
          WHERE active AND address_kind = 1 AND platform < 10 AND split_part(token, ':', 1) = \(token)) owners
        ORDER BY hash OFFSET 0) hashes
      """
  }

  /// What APNs said of a token's environment stays, if the app does not say another; so does the VAPID key of a subscription, which was made
  /// with one for all its life.
  static func insertion(of registration: Registration, of user: UserID, asked: Date) -> SQLQuery {
    """
    INSERT INTO devices (user_id, id, token, address_kind, platform, name, app_version, keys, installation,
      apns_environment, apns_topic, vapid_key, active, deactivated_at, deactivation_reason, registered_at, last_used_at)
    SELECT \(user), \(DeviceID(UUID())), \(registration.token), \(Int16(registration.kind.rawValue)),
      \(registration.platformCode), \(registration.name), \(registration.appVersion), \(registration.keys?.json),
      \(registration.installation), \(registration.apns?.environment?.rawValue), \(registration.apns?.topic),
      \(registration.vapidKey), NOT s.is_superseded, CASE WHEN s.is_superseded THEN now() END,
      CASE WHEN s.is_superseded THEN 'replaced' END, s.time, s.time
    FROM (SELECT EXISTS (
      SELECT FROM devices
      WHERE token = \(registration.tokenInstallation) AND address_kind = 2 AND active AND user_id = \(user)
    ) AS is_superseded, clock_timestamp() AS time) s
    WHERE NOT EXISTS (SELECT FROM erased_users WHERE user_id = \(user) AND erased_at >= \(asked))
    ON CONFLICT (token) DO UPDATE SET user_id = excluded.user_id, address_kind = excluded.address_kind,
      platform = excluded.platform, name = excluded.name, app_version = excluded.app_version, keys = excluded.keys,
      installation = excluded.installation,
      apns_environment = CASE WHEN excluded.platform = devices.platform
        THEN coalesce(excluded.apns_environment, devices.apns_environment) ELSE excluded.apns_environment END,
      apns_topic = excluded.apns_topic, vapid_key = CASE
        WHEN devices.platform = excluded.platform AND NOT \(registration.isVAPIDKeySaid)
        THEN coalesce(devices.vapid_key, excluded.vapid_key) ELSE excluded.vapid_key END, active = excluded.active,
      deactivated_at = excluded.deactivated_at, deactivation_reason = excluded.deactivation_reason,
      registered_at = excluded.registered_at, last_used_at = excluded.last_used_at,
      permission = CASE WHEN devices.user_id = excluded.user_id THEN devices.permission ELSE 0 END
    RETURNING \(unescaped: shownColumns)
    """
  }

  /// The tokens of an installation id, and the installation id of a token that is another user's; nil where there can be none.
  static func superseding(by registration: Registration, of user: UserID) -> SQLQuery? {
    if registration.kind == .installation {
      return """
        UPDATE devices SET active = false, deactivated_at = now(), deactivation_reason = 'replaced'
        WHERE active AND address_kind = 1 AND platform < 10 AND split_part(token, ':', 1) = \(registration.token)
          AND EXISTS (SELECT FROM devices own WHERE own.token = \(registration.token) AND own.user_id = \(user))
        """
    }
    return registration.tokenInstallation.map { installation in
      """
      UPDATE devices SET active = false, deactivated_at = now(), deactivation_reason = 'replaced'
      WHERE active AND address_kind = 2 AND token = \(installation) AND user_id <> \(user)
        AND EXISTS (SELECT FROM devices own WHERE own.token = \(registration.token) AND own.user_id = \(user))
      """
    }
  }

  /// Older addresses of the same device: of its name, or of its installation with the same provider.
  static func replacing(by registration: Registration, of user: UserID) -> SQLQuery {
    """
    UPDATE devices SET active = false, deactivated_at = now(), deactivation_reason = 'replaced'
    WHERE user_id = \(user) AND active AND token <> \(registration.token)
      AND (platform = \(registration.platformCode) AND name = \(registration.name)
        OR platform = ANY (\(registration.platformsOfCarrier)) AND installation = \(registration.installation))
      AND (SELECT active FROM devices WHERE token = \(registration.token))
    """
  }

  /// The topics of devices that it has replaced, of which each has subscriptions of its own.
  static func inheriting(_ registration: Registration, of user: UserID) -> SQLQuery {
    """
    WITH former AS (
      DELETE FROM topic_subscriptions s USING devices o, devices n
      WHERE n.token = \(registration.token) AND n.user_id = \(user) AND n.active
        AND s.user_id = \(user) AND s.device_id = o.id
        AND o.user_id = \(user) AND o.id <> n.id AND NOT o.active AND o.deactivation_reason = 'replaced'
        AND o.platform = ANY (\(registration.platformsOfCarrier))
        AND (o.platform = n.platform AND o.name = n.name OR o.installation = n.installation
          OR split_part(o.token, ':', 1) = n.token AND n.address_kind = 2)
      RETURNING s.topic, n.id
    )
    INSERT INTO topic_subscriptions (user_id, topic, device_id) SELECT \(user), topic, id FROM former ON CONFLICT DO NOTHING
    """
  }

  static func limiting(besides token: String, of user: UserID) -> SQLQuery {
    """
    UPDATE devices SET active = false, deactivated_at = now(), deactivation_reason = 'limit'
    WHERE user_id = \(user) AND active AND token <> \(token) AND (SELECT active FROM devices WHERE token = \(token))
      AND id NOT IN (
        SELECT id FROM devices WHERE user_id = \(user) AND active AND token <> \(token)
        ORDER BY last_used_at DESC, id DESC LIMIT \(maximumActive - 1))
    """
  }

  static func forgetting(of user: UserID) -> SQLQuery {
    """
    DELETE FROM devices WHERE user_id = \(user) AND NOT active AND id NOT IN (
      SELECT id FROM devices WHERE user_id = \(user) AND NOT active
      ORDER BY last_used_at DESC, id DESC LIMIT \(maximumKept - maximumActive))
    """
  }
}

extension DeviceStore.Registration {
  fileprivate var platformCode: Int16 { Int16(platform.rawValue) }

  fileprivate var platformsOfCarrier: [Int16] {
    DevicePlatform.allCases.filter { $0.carrier == platform.carrier }.map { Int16($0.rawValue) }
  }

  /// The installation id that a token of FCM begins with, if it begins with one: whether it is one, only its registration says.
  fileprivate var tokenInstallation: String? {
    guard platform.carrier == .fcm, kind == .token else { return nil }
    return DeviceStore.beginning(of: token)
  }
}

extension DeviceStore {
  /// What comes before the first colon.
  static func beginning(of token: String) -> String? {
    token.firstIndex(of: ":").map { String(token[..<$0]) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
