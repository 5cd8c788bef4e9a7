/// What the simulator keeps of a message that FCM would accept.
struct PushMessage: Sendable, Equatable {
  enum Target: Sendable, Equatable {
    case token(String)
    /// A Firebase installation ID, which stands for the device's token.
    case fid(String)
    case topic(String)
    case condition(String)

    var text: String {
      switch self {
      case .token(let text), .fid(let text), .topic(let text), .condition(let text): text
      }
    }
  }

  let target: Target
  /// `android.collapse_key`.
  let collapseKey: String?
  /// `apns.headers.apns-collapse-id`.
  let apnsCollapseID: String?
  /// `android.notification.tag`; of a message without a notification, which the app shows, `data.tag`.
  let tag: String?
  /// `webpush.notification.tag`.
  let webTag: String?
  /// `data.notificationId`.
  let notificationID: String?
  let validateOnly: Bool
  /// Where the message stands in the request's body.
  let range: Range<Int>

  /// What makes a repeated message replace the first on the device; nil if nothing does.
  var collapseFingerprint: String? {
    if collapseKey == nil, apnsCollapseID == nil, tag == nil, webTag == nil { return nil }
    return "\(collapseKey ?? "")\n\(apnsCollapseID ?? "")\n\(tag ?? "")\n\(webTag ?? "")"
  }
}
