import Cryptography
import NotificationModel

/// By what iPhones know a repetition of a push, through whatever provider it comes: APNs keeps and shows one of the same
/// `apns-collapse-id`, so an app that registered with FCM and with APNs shows one notification.
enum CollapseIdentity {
  /// Apple's limit, in bytes.
  static let maximumBytes = 64

  /// The key itself; of one that is longer, or has other characters than a header takes, the hash.
  static func text(_ key: String) -> String {
    let fits = (1...maximumBytes).contains(key.utf8.count) && key.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    return fits ? key : hexadecimal(SHA256.hash(Array(key.utf8)))
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension NotificationContent {
  /// The `apns-collapse-id` of its pushes.
  ///
  /// - Parameter id: The notification's.
  func collapseIdentity(or id: String) -> String { CollapseIdentity.text(replacementKey(or: id)) }
}
