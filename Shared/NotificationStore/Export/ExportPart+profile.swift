import BelfryJSON
import NotificationModel
import Postgres

extension ExportPart {
  /// `users`: what the backend reported, and what its user set beside choices.
  static let profile = ExportPart(
    "profile",
    of: "users",
    leftOut: [
      "settings_revision"  // counts changes
    ],
    isSingle: true
  ) { user, _, _ in
    """
    SELECT email, (EXISTS (
        SELECT FROM suppressions s
        WHERE s.address = belfry_mail_address(users.email) AND s.reason <> \(unescaped: complaint)
      ))::int4 AS email_status, addresses, display_name, locale, timezone, enabled, paused_until, quiet_hours_enabled,
      quiet_hours_start::text AS quiet_hours_start, quiet_hours_end::text AS quiet_hours_end, settings, created_at, updated_at
    FROM users WHERE user_id = \(user)
    """
  } write: { fields in
    try fields.text("email", "email")
    try fields.integer("emailStatus", "email_status")
    try fields.furtherAddresses()
    try fields.text("displayName", "display_name")
    try fields.text("locale", "locale")
    try fields.text("timezone", "timezone")
    try fields.boolean("notificationsEnabled", "enabled")
    try fields.time("pausedUntil", "paused_until")
    try fields.boolean("quietHoursEnabled", "quiet_hours_enabled")
    try fields.text("quietHoursStart", "quiet_hours_start")
    try fields.text("quietHoursEnd", "quiet_hours_end")
    try fields.json("settings", "settings")
    try fields.time("createdAt", "created_at")
    try fields.time("updatedAt", "updated_at")
  }
}

private let complaint = String(SuppressionReason.complaint.rawValue)

extension ExportFields {
  /// Under the members of profiles; only those that there are.
  fileprivate mutating func furtherAddresses() throws(PostgresError) {
    guard let stored: PostgresJSON = try row.get("addresses", as: PostgresJSON?.self) else { return }
    var addresses = PerChannel<ChannelAddress>()
    addresses.take(stored, channels)
    for entry in addresses.entries {
      guard let member = channels.first(where: { $0.channel == entry.channel })?.address?.member else { continue }
      add(member, .string(entry.value.text))
      add("\(member)Status", .number(entry.value.isSuppressed ? "1" : "0"))
    }
  }
}
