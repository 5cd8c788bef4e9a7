import Foundation
import NotificationModel

extension Device {
  /// Takes what ``RecipientStore/activeDevices(of:)`` says beside the address: keys (2), kind, installation, environment, topic,
  /// seconds since 1970 of the registration, VAPID key.
  mutating func take(_ details: [String?]) {
    guard details.count == 8 else { return }
    if let p256dh = details[0], let auth = details[1] { credentials = SubscriptionKeys(p256dh: p256dh, auth: auth) }
    kind = details[2].flatMap { Int($0) }.flatMap(DeviceAddressKind.init(rawValue:)) ?? .token
    installation = details[3].flatMap { UUID(uuidString: $0) }
    if platform == .apns {
      apns = APNsAddress(
        environment: details[4].flatMap(APNsAddress.Environment.init(rawValue:)),
        topic: details[5],
        registeredAt: details[6].flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0) }
      )
    }
    vapidKey = details[7]
  }
}
