/// A call of the gateway, by its `operationId` in `openapi.yaml`. A test compares this table with that file.
package struct Endpoint: Sendable, Hashable {
  package let id: String
  package let method: String
  /// With names in braces, which ``path(_:)`` replaces in their order.
  package let template: String
  /// Whether it needs no token.
  package let isOpen: Bool

  private init(_ id: String, _ method: String, _ template: String, isOpen: Bool = false) {
    self.id = id
    self.method = method
    self.template = template
    self.isOpen = isOpen
  }

  /// The path with values in place of its names, each escaped as one segment.
  func path(_ values: [String]) -> String {
    var values = values.makeIterator()
    return template.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("{") ? percentEncoded(values.next() ?? "") : String($0) }
      .joined(separator: "/")
  }

  private static let notifications = "/api/v1/notifications"

  static let listNotifications = Endpoint("listNotifications", "GET", notifications)
  static let deleteReadNotifications = Endpoint("deleteReadNotifications", "DELETE", notifications)
  static let getUnreadCount = Endpoint("getUnreadCount", "GET", notifications + "/unread-count")
  static let listChanges = Endpoint("listChanges", "GET", notifications + "/changes")
  static let markNotificationsRead = Endpoint("markNotificationsRead", "POST", notifications + "/read")
  static let markNotificationsSeen = Endpoint("markNotificationsSeen", "POST", notifications + "/seen")
  static let getNotification = Endpoint("getNotification", "GET", notifications + "/{id}")
  static let deleteNotification = Endpoint("deleteNotification", "DELETE", notifications + "/{id}")
  static let markNotificationRead = Endpoint("markNotificationRead", "PATCH", notifications + "/{id}/read")
  static let markNotificationUnread = Endpoint("markNotificationUnread", "PATCH", notifications + "/{id}/unread")
  static let archiveNotification = Endpoint("archiveNotification", "PATCH", notifications + "/{id}/archive")
  static let unarchiveNotification = Endpoint("unarchiveNotification", "PATCH", notifications + "/{id}/unarchive")
  static let snoozeNotification = Endpoint("snoozeNotification", "PATCH", notifications + "/{id}/snooze")
  static let reportNotificationOpened = Endpoint("reportNotificationOpened", "POST", notifications + "/{id}/opened")
  static let reportNotificationAction = Endpoint(
    "reportNotificationAction",
    "POST",
    notifications + "/{id}/actions/{action}"
  )
  static let registerDevice = Endpoint("registerDevice", "POST", "/api/v1/devices")
  static let listDevices = Endpoint("listDevices", "GET", "/api/v1/devices")
  static let deleteCurrentDevice = Endpoint("deleteCurrentDevice", "DELETE", "/api/v1/devices/current")
  static let deleteDevice = Endpoint("deleteDevice", "DELETE", "/api/v1/devices/{id}")
  static let reportDevicePermission = Endpoint("reportDevicePermission", "PUT", "/api/v1/devices/{id}/permission")
  static let registerNativeDeviceToken = Endpoint("registerNativeDeviceToken", "POST", notifications + "/device-token")
  static let getPreferences = Endpoint("getPreferences", "GET", notifications + "/preferences")
  static let updatePreferences = Endpoint("updatePreferences", "PUT", notifications + "/preferences")
  static let updateQuietHours = Endpoint("updateQuietHours", "PUT", notifications + "/preferences/quiet-hours")
  static let listMutes = Endpoint("listMutes", "GET", notifications + "/muted")
  static let muteEntity = Endpoint("muteEntity", "PUT", notifications + "/muted/{entityType}/{entityId}")
  static let unmuteEntity = Endpoint("unmuteEntity", "DELETE", notifications + "/muted/{entityType}/{entityId}")
  static let reportReceipt = Endpoint("reportReceipt", "POST", "/api/v1/receipts/{receipt}", isOpen: true)
  static let getCatalogue = Endpoint("getCatalogue", "GET", "/catalogue", isOpen: true)
  static let getBellConfiguration = Endpoint("getBellConfiguration", "GET", "/bell/config.json", isOpen: true)

  /// Everything that the client calls.
  package static let all: [Endpoint] = [
    listNotifications, deleteReadNotifications, getUnreadCount, listChanges, markNotificationsRead,
    markNotificationsSeen,
    getNotification, deleteNotification, markNotificationRead, markNotificationUnread, archiveNotification,
    unarchiveNotification, snoozeNotification, reportNotificationOpened, reportNotificationAction, registerDevice,
    listDevices, deleteCurrentDevice, deleteDevice, reportDevicePermission, registerNativeDeviceToken, getPreferences,
    updatePreferences, updateQuietHours, listMutes, muteEntity, unmuteEntity, reportReceipt, getCatalogue,
    getBellConfiguration,
  ]
}

/// Escaped for a segment of a path or a value of a query.
func percentEncoded(_ text: String) -> String {
  var encoded = ""
  for byte in text.utf8 {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
      encoded.unicodeScalars.append(Unicode.Scalar(byte))
    default:
      encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }
  // A segment of dots would be another path.
  return encoded == "." || encoded == ".." ? encoded.replacing(".", with: "%2E") : encoded
}
