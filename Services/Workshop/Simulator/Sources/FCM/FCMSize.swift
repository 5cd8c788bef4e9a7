import BelfryJSON

/// How large FCM takes a message to be.
///
/// FCM limits what reaches a device, separately for each platform. Counted here are the UTF-8 bytes of all names and values
/// (not of JSON's punctuation) of: the common `notification` and `data`, plus the platform's own notification and data
/// (Android), payload (APNs), or notification and data (web). The largest platform decides, also when the message has no
/// block for it. Delivery options (priority, ttl, collapse keys, headers) do not count.
enum FCMSize {
  static let deviceLimit = 4_096
  /// For topics and conditions.
  static let topicLimit = 2_048

  static func check(_ message: JSONValue, limit: Int) throws(FCMFailure) {
    let common = bytes(message["notification"]) + bytes(message["data"])
    let android = message["android"]
    let webpush = message["webpush"]
    let platforms = [
      ("android", "Android", bytes(android?["notification"]) + bytes(android?["data"])),
      ("apns", "APNs", bytes(message["apns"]?["payload"])),
      ("webpush", "Web push", bytes(webpush?["notification"]) + bytes(webpush?["data"])),
    ]
    for (field, name, own) in platforms where common + own > limit {
      throw .invalidArgument(
        message[field] == nil ? "message" : "message.\(field)",
        "\(name) message is too big: \(common + own) bytes, at most \(limit) are allowed"
      )
    }
  }

  private static func bytes(_ value: JSONValue?) -> Int {
    switch value {
    case nil, .null: 0
    case .boolean(let value): value ? 4 : 5
    case .number(let text), .string(let text): text.utf8.count
    case .array(let elements): elements.reduce(0) { $0 + bytes($1) }
    case .object(let members): members.reduce(0) { $0 + $1.name.utf8.count + bytes($1.value) }
    }
  }
}
