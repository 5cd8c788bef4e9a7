import Cryptography
import Synchronization

/// The subscriptions of browsers: those that the simulator stands in for, each with a key pair and a secret of its own, and those of
/// real ones, which keep theirs to themselves.
final class WebPushSubscriptions: Sendable {
  static let maximumCount = 100_000

  struct Subscription: Sendable {
    /// The last part of its endpoint's path.
    let id: String
    /// Nil of a real browser's, which alone can read what it is sent.
    let keys: Keys?
    /// The only key whose signatures are accepted: a point of P-256 in base64url; nil: any.
    let serverKey: String?
    var isGone = false
  }

  /// With which a browser reads.
  struct Keys: Sendable {
    let key: PrivateKey
    let secret: [UInt8]
  }

  private let subscriptions = Mutex<[String: Subscription]>([:])

  subscript(_ id: String) -> Subscription? { subscriptions.withLock { $0[id] } }

  /// A new one, which the simulator can read; nil if there are too many.
  func make(for serverKey: String?) throws(CryptographyError) -> Subscription? {
    add(serverKey, Keys(key: try PrivateKey(.p256), secret: randomBytes(16)))
  }

  /// A real browser's; nil if there are too many.
  func makeUnreadable(for serverKey: String?) -> Subscription? { add(serverKey, nil) }

  private func add(_ serverKey: String?, _ keys: Keys?) -> Subscription? {
    let subscription = Subscription(id: Base64URL.encode(randomBytes(24)), keys: keys, serverKey: serverKey)
    return subscriptions.withLock { subscriptions in
      guard subscriptions.count < Self.maximumCount else { return nil }
      subscriptions[subscription.id] = subscription
      return subscription
    }
  }

  /// The browser unsubscribes; false if there is no such subscription.
  @discardableResult
  func end(_ id: String) -> Bool {
    subscriptions.withLock { subscriptions in
      guard subscriptions[id] != nil else { return false }
      subscriptions[id]?.isGone = true
      return true
    }
  }
}
