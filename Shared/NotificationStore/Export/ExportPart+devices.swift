import BelfryJSON
import NotificationModel
import Postgres

extension ExportPart {
  /// `devices`, tokens and endpoints included.
  static let devices = ExportPart(
    "devices",
    of: "devices",
    leftOut: [
      "keys",  // secrets of the browser
      "permission_told",  // what is in the statistics already
    ]
  ) { user, after, limit in
    """
    SELECT id, platform, address_kind, token, installation, apns_environment, apns_topic, vapid_key, name, app_version,
      active, permission, created_at, registered_at, last_used_at, deactivated_at, deactivation_reason
    FROM devices WHERE user_id = \(user) AND id > \(try after?.get("id") ?? DeviceID(.beforeAll))
    ORDER BY id LIMIT \(limit)
    """
  } write: { fields in
    let platform: Int = try fields.row.get("platform")
    let known = DevicePlatform(rawValue: platform)
    try fields.identifier("id", "id")
    fields.add("platform", .number(String(known?.shown ?? platform)))
    fields.add("kind", (known?.carrier.rawValue).map { .string($0) } ?? .null)
    let kind = DeviceAddressKind(rawValue: try fields.row.get("address_kind"))
    fields.add("addressKind", (known?.carrier == .fcm ? kind?.name : nil).map { .string($0) } ?? .null)
    try fields.text("token", "token")
    try fields.identifier("installationId", "installation")
    try fields.text("environment", "apns_environment")
    try fields.text("topic", "apns_topic")
    try fields.text("vapidKeyId", "vapid_key")
    try fields.text("deviceName", "name")
    try fields.text("appVersion", "app_version")
    try fields.boolean("isActive", "active")
    let permission = DevicePermission(rawValue: try fields.row.get("permission"))
    fields.add("permission", (permission?.name).map { .string($0) } ?? .null)
    try fields.time("createdAt", "created_at")
    try fields.time("registeredAt", "registered_at")
    try fields.time("lastUsedAt", "last_used_at")
    try fields.time("deactivatedAt", "deactivated_at")
    try fields.text("deactivationReason", "deactivation_reason")
  }
}
