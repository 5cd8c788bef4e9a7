import NotificationModel

/// What a browser shows and opens beside the text; the same for every notification.
struct WebAppearance: Sendable {
  /// `https://` address that a click opens, with the notification's id added as the parameter `notificationId`; nil: none.
  var link: String?
  /// Address of a picture; nil: the browser's own.
  var icon: String?

  /// What a click on this notification opens.
  func link(to notification: String) -> String? {
    link.map { "\($0)\($0.contains("?") ? "&" : "?")notificationId=\(notification)" }
  }
}
