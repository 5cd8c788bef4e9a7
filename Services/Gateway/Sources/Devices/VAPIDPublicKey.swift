import Cryptography
import Foundation

/// The public half of the key with which a deployment tells browsers' push services who it is (VAPID, RFC 8292): a point of
/// P-256, uncompressed, in base64url without padding. Or none.
public struct VAPIDPublicKey: LosslessStringConvertible, Sendable, Equatable {
  public static let none = VAPIDPublicKey(text: "")

  public let description: String

  /// Nil for a text that is no such point.
  public init?(_ text: String) {
    guard text.utf8.count == 87, let point = Base64URL.decode(Substring(text).utf8),
      (try? PublicKey(p256: Array(point))) != nil
    else { return nil }
    description = text
  }

  private init(text: String) {
    description = text
  }

  var isNone: Bool { description.isEmpty }

  /// How services know the key; nil of none.
  var id: String? { isNone ? nil : Base64URL.bytes(description.utf8).map { VAPIDKeyID.of($0) } }
}
