import Cryptography
import NotificationModel
import NotificationStore

/// A browser's `PushSubscription` (W3C Push API) as its `toJSON()` gives it. `expirationTime` is of no use: the push service
/// says when a subscription is gone.
struct PushSubscription: FieldReadable {
  private let registration: DeviceStore.Registration
  let endpoint: PushEndpoint

  init?(_ reader: FieldReader) {
    let text = reader.requiredText("endpoint", limit: PushEndpoint.maximumLength)
    let endpoint = text.flatMap(PushEndpoint.init)
    if text != nil, endpoint == nil {
      reader.problem("endpoint", "expected an https URL of at most \(PushEndpoint.maximumLength) bytes")
    }
    let keys = reader.object("keys") { reader -> SubscriptionKeys? in
      let p256dh = Self.key("p256dh", "a point of P-256, 65 bytes in base64url", reader) {
        (try? PublicKey(p256: $0)) != nil
      }
      let auth = Self.key("auth", "16 bytes in base64url", reader) { $0.count == 16 }
      guard let p256dh, let auth else { return nil }
      return SubscriptionKeys(p256dh: p256dh, auth: auth)
    }
    if !reader.isPresent("keys") { reader.problem("keys", "is required") }
    let installation = reader.installation()
    let serverKey = Self.serverKey(reader)
    guard let endpoint, let keys else { return nil }
    self.endpoint = endpoint
    registration = DeviceStore.Registration(
      token: endpoint.url,
      platform: .webPush,
      keys: keys,
      installation: installation,
      vapidKey: serverKey?.id,
      isVAPIDKeySaid: serverKey != nil
    )
  }

  /// The registration of a subscription that was made with the deployment's key of today, unless it says another.
  func registration(madeWith key: VAPIDPublicKey) -> DeviceStore.Registration {
    guard !registration.isVAPIDKeySaid else { return registration }
    var registration = registration
    registration.vapidKey = key.id
    return registration
  }

  /// With which it was made (`options.applicationServerKey`), which its `toJSON()` does not have; nil if it is not said.
  private static func serverKey(_ reader: FieldReader) -> VAPIDPublicKey? {
    let expected = "a VAPID public key, 87 characters of base64url"
    guard let text = reader.optional("applicationServerKey", String.self, expected: expected) else { return nil }
    let key = VAPIDPublicKey(text)
    if key == nil { reader.problem("applicationServerKey", "expected \(expected)") }
    return key
  }

  /// Bytes in base64url, which browsers write with or without padding; here without.
  private static func key(
    _ name: String,
    _ expected: String,
    _ reader: FieldReader,
    where isKey: ([UInt8]) -> Bool
  ) -> String? {
    guard let text = reader.required(name, String.self, expected: expected) else { return nil }
    let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let bare = text.dropLast(padding)
    guard padding <= 2, bare.utf8.count <= 128, Base64URL.decode(bare.utf8).map({ isKey(Array($0)) }) ?? false else {
      reader.problem(name, "expected \(expected)")
      return nil
    }
    return String(bare)
  }
}
