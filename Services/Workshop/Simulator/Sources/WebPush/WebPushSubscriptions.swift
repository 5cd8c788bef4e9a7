import Cryptography
import Synchronization

/// The subscriptions that browsers would have, made as they make them: each with a key pair and a secret of its own.
final class WebPushSubscriptions: Sendable {
  static let maximumCount = 100_000

  struct Subscription: Sendable {
    /// The last part of its endpoint's path.
    let id: String
    let key: PrivateKey
    let secret: [UInt8]
    /// The only key whose signatures are accepted: a point of P-256 in base64url; nil: any.
    let serverKey: String?
    var isGone = false
  }

  private let subscriptions = Mutex<[String: Subscription]>([:])

  subscript(_ id: String) -> Subscription? { subscriptions.withLock { $0[id] } }

  /// A new one; nil if there are too many.
  func make(for serverKey: String?) throws(CryptographyError) -> Subscription? {
    let subscription = Subscription(
      id: Base64URL.encode(randomBytes(24)),
      key: try PrivateKey(.p256),
      secret: randomBytes(16),
      serverKey: serverKey
    )
    return subscriptions.withLock { subscriptions in
      guard subscriptions.count < Self.maximumCount else { return nil }
      subscriptions[subscription.id] = subscription
      return subscription
    }
  }

  /// The browser unsubscribes; false if there is no such subscription.
  func end(_ id: String) -> Bool {
    subscriptions.withLock { subscriptions in
      guard subscriptions[id] != nil else { return false }
      subscriptions[id]?.isGone = true
      return true
    }
  }
}
