import Cryptography
import Foundation
import NotificationModel
import NotificationStore

/// A browser's `PushSubscription` (W3C Push API) as its `toJSON()` gives it. `expirationTime` is of no use: the push service
/// says when a subscription is gone.
struct PushSubscription: FieldReadable {
  private let registration: DeviceStore.Registration
  /// Whether the endpoint may be out in the internet, as every browser's push service is.
  let isPublic: Bool

  init?(_ reader: FieldReader) {
    let text = reader.requiredText("endpoint", limit: DeviceStore.maximumTokenLength)
    if let text, !Self.isEndpoint(text) {
      reader.problem("endpoint", "expected an https URL of at most \(DeviceStore.maximumTokenLength) bytes")
    }
    let keys = reader.object("keys") { reader -> SubscriptionKeys? in
      let p256dh = Self.key("p256dh", of: 65, reader)
      let auth = Self.key("auth", of: 16, reader)
      guard let p256dh, let auth else { return nil }
      return SubscriptionKeys(p256dh: p256dh, auth: auth)
    }
    if !reader.isPresent("keys") { reader.problem("keys", "is required") }
    let installation = reader.installation()
    guard let text, let keys else { return nil }
    isPublic = URLComponents(string: text)?.encodedHost.map(PublicHost.isPublic) == true
    registration = DeviceStore.Registration(
      token: text,
      platform: .webPush,
      keys: keys,
      installation: installation
    )
  }

  /// The registration of a subscription that was made with the deployment's key of today.
  func registration(madeWith key: VAPIDPublicKey) -> DeviceStore.Registration {
    var registration = registration
    registration.vapidKey = key.id
    return registration
  }

  /// Whether it can be a push service's: over TLS, with a host, without what no request carries.
  static func isEndpoint(_ text: String) -> Bool {
    guard text.hasPrefix("https://"), text.utf8.count <= DeviceStore.maximumTokenLength,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let url = URLComponents(string: text)
    else { return false }
    return url.host?.isEmpty == false && url.user == nil && url.password == nil && url.fragment == nil
  }

  /// Bytes in base64url, which browsers write with or without padding; here without.
  private static func key(_ name: String, of count: Int, _ reader: FieldReader) -> String? {
    let expected = "\(count) bytes in base64url"
    guard let text = reader.required(name, String.self, expected: expected) else { return nil }
    let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let bare = text.dropLast(padding)
    guard padding <= 2, bare.utf8.count <= 128, Base64URL.decode(bare.utf8)?.count == count else {
      reader.problem(name, "expected \(expected)")
      return nil
    }
    return String(bare)
  }
}
