import Cryptography
import Dispatching
import Foundation
import NotificationModel
import NotificationQueue

/// A browser with a subscription, which can read what it is sent.
struct Browser {
  static let endpoint = "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk"

  let key: PrivateKey
  let secret = randomBytes(16)

  init() throws {
    key = try PrivateKey(.p256)
  }

  var keys: SubscriptionKeys {
    SubscriptionKeys(p256dh: Base64URL.encode(key.publicKey.point ?? []), auth: Base64URL.encode(secret))
  }

  func read(_ message: [UInt8]) throws -> String {
    String(decoding: try PushMessageEncryption.decrypt(message, by: key, secret: secret), as: UTF8.self)
  }

  /// A push to it.
  ///
  /// - Parameter vapidKey: Id of the key with which it has subscribed.
  func targeted(
    _ content: NotificationContent,
    endpoint: String = Self.endpoint,
    keys: SubscriptionKeys? = nil,
    vapidKey: String? = nil,
    user: UserID = UserID(UUID()),
    _ change: (inout DispatchMessage.Delivery) -> Void = { _ in }
  ) -> TargetedDelivery {
    let target = DispatchMessage.Target(
      id: UUID().uuidString.lowercased(),
      address: endpoint,
      platform: 13,
      credentials: keys ?? self.keys,
      vapidKey: vapidKey
    )
    var delivery = DispatchMessage.Delivery(
      notificationId: NotificationID(request: RequestID(now: .now), recipient: user),
      userId: user,
      content: 0,
      badge: 3,
      targets: [target]
    )
    change(&delivery)
    return TargetedDelivery(delivery: delivery, target: target, content: content)
  }

  static func content(
    body: String = "You have $42",
    data: [String: String] = ["amount": "$10.00"],
    collapseKey: String? = nil,
    life: TimeInterval = 3_600
  ) throws -> NotificationContent {
    guard let type = try Catalogue().type(.code(10)) else { throw CocoaError(.keyValueValidation) }
    return NotificationContent(
      type: type,
      text: type.template.render(title: "Allowance \"received\"", body: body, data: [:]),
      data: data,
      relatedEntityType: "Transaction",
      relatedEntityId: "t-1",
      collapseKey: collapseKey,
      createdAt: .now,
      expiresAt: .now + life
    )
  }
}
