import NotificationModel
import Postgres

/// What ``RecipientStore`` asks. Answers about keys say which they are of by its place in the list, from 1.
extension RecipientStore {
  /// What people have set for themselves is one value, an array, and NULL for those who have set nothing: each value of each
  /// person costs something on its way. In it, quiet hours are in seconds since midnight, and only there where they are on;
  /// switches are 0 or 1. Addresses beside the mail address are one value as well, and NULL for nearly all, and so is what suppresses
  /// the mail address: the reason that counts, and since when, in milliseconds.
  static func profiles(of users: [UserID]) -> SQLQuery {
    """
    SELECT u.user_id, u.email, (
        SELECT ARRAY[reason::int8, (extract(epoch FROM since) * 1000)::int8] FROM suppressions
        WHERE address = belfry_mail_address(u.email) ORDER BY address, reason LIMIT 1
      ), u.display_name, u.enabled, u.locale, u.timezone, u.paused_until,
      CASE WHEN u.quiet_hours_enabled OR u.settings_revision <> 0 OR u.settings <> '{}' THEN ARRAY[
        CASE WHEN u.quiet_hours_enabled THEN extract(epoch FROM u.quiet_hours_start)::int8 END,
        CASE WHEN u.quiet_hours_enabled THEN extract(epoch FROM u.quiet_hours_end)::int8 END,
        coalesce(u.settings ->> 'soundEnabled' <> 'false', true)::int4::int8,
        coalesce(u.settings ->> 'badgeEnabled' <> 'false', true)::int4::int8,
        u.settings_revision
      ] END, u.addresses
    FROM unnest(\(users)) AS k(user_id)
      CROSS JOIN LATERAL (SELECT * FROM users WHERE user_id = k.user_id OFFSET 0) u
    """
  }

  static func typeChoices(_ keys: [Key]) -> SQLQuery {
    """
    SELECT k.position, p.chosen_channels, p.enabled_channels
    FROM unnest(\(keys.map(\.user)), \(keys.map { Int16(clamping: $0.type) })) WITH ORDINALITY
      AS k(user_id, type, position)
      CROSS JOIN LATERAL (
        SELECT \(unescaped: ChannelChoices.typeMasks) FROM preferences
        WHERE user_id = k.user_id AND type = k.type OFFSET 0
      ) p
    """
  }

  static func categoryChoices(_ keys: [Key]) -> SQLQuery {
    """
    SELECT k.position, p.chosen_channels, p.enabled_channels
    FROM unnest(\(keys.map(\.user)), \(keys.map(\.category))) WITH ORDINALITY AS k(user_id, category, position)
      CROSS JOIN LATERAL (
        SELECT \(unescaped: ChannelChoices.categoryMasks) FROM category_preferences
        WHERE user_id = k.user_id AND category = k.category OFFSET 0
      ) p
    """
  }

  /// Those that have ended may be among them.
  ///
  /// - Parameter keys: With entities.
  static func mutes(_ keys: [Key]) -> SQLQuery {
    """
    SELECT k.position, m.until
    FROM unnest(\(keys.map(\.user)), \(keys.map { $0.entity?.type }), \(keys.map { $0.entity?.id })) WITH ORDINALITY
      AS k(user_id, entity_type, entity_id, position)
      CROSS JOIN LATERAL (
        SELECT until FROM mutes
        WHERE user_id = k.user_id AND entity_type = k.entity_type AND entity_id = k.entity_id OFFSET 0
      ) m
    """
  }

  /// What a device has beside its address is one value, an array, and NULL for those that have nothing: nearly all of FCM's.
  static func activeDevices(of users: [UserID]) -> SQLQuery {
    """
    SELECT k.user_id, d.id, d.token, d.platform,
      CASE WHEN d.platform IN (\(unescaped: detailed)) OR d.address_kind <> 1 OR d.installation IS NOT NULL THEN ARRAY[
        d.keys ->> 'p256dh', d.keys ->> 'auth', d.address_kind::text, d.installation::text, d.apns_environment,
        d.apns_topic, extract(epoch FROM coalesce(d.registered_at, d.last_used_at))::text, d.vapid_key
      ] END
    FROM unnest(\(users)) AS k(user_id)
      CROSS JOIN LATERAL (SELECT * FROM devices WHERE user_id = k.user_id AND active ORDER BY id) d
    """
  }

  /// Platforms whose devices always have more than an address.
  private static let detailed = "\(DevicePlatform.apns.rawValue), \(DevicePlatform.webPush.rawValue)"
}
