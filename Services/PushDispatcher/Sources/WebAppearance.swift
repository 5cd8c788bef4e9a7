import NotificationModel

/// What a browser shows and opens beside the text; the same for every notification.
struct WebAppearance: Sendable {
  /// `https://` address that a click opens, with the notification's id added as the parameter `notificationId`; nil: none.
  var link: String?
  /// Address of a picture; nil: the browser's own.
  var icon: String?

  /// What a click on this notification opens. A page that reads its place after `#` reads parameters there, too; to others the
  /// fragment is a part of the page, and stays at the end.
  func link(to notification: String) -> String? {
    guard let link else { return nil }
    let fragment = link.firstIndex(of: "#") ?? link.endIndex
    let isRoute = ["#/", "#!/"].contains { link[fragment...].hasPrefix($0) }
    let end = isRoute ? link.endIndex : fragment
    let query = isRoute ? link[fragment...] : link[..<fragment]
    let hasQuery = query.utf8.contains(UInt8(ascii: "?"))
    return "\(link[..<end])\(hasQuery ? "&" : "?")notificationId=\(notification)\(link[end...])"
  }
}
