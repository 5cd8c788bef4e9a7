/// Names of the members of a notification's data.
enum DataName {
  static let maximumBytes = 128
  /// Bytes of all names and values together.
  static let maximumTotal = 4_096

  /// What is wrong with a name that somebody gives; nil if nothing is.
  static func problem(_ name: String) -> String? {
    if name.isEmpty || name.utf8.count > maximumBytes { return "a name has 1 to \(maximumBytes) bytes" }
    if name.hasControl() { return "a name must not contain control characters" }
    return isReserved(name) ? "is a name reserved by FCM" : nil
  }

  /// Whether FCM refuses messages whose data has this name.
  ///
  /// Source: https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
  static func isReserved(_ name: String) -> Bool {
    name == "from" || name == "message_type" || name.hasPrefix("google") || name.hasPrefix("gcm")
  }
}
