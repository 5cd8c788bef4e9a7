import Cryptography
import Dispatching
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue

/// A push to one device as APNs takes it: path, headers, body. Pure.
struct APNsMessage {
  /// What kind of push it is, and so under which topic and with which body. Others, as Live Activities, will be cases here.
  enum PushType: String {
    case alert
  }

  /// APNs' limit on the body of an alert.
  static let maximumPayload = 4_096

  private let targeted: TargetedDelivery
  private let notification: String
  private let type = PushType.alert
  private let topic: String
  private let receipt: String?

  /// - Parameters:
  ///   - topic: Bundle id of the app on the device.
  ///   - receipt: With which the device reports what it displays; nil: none.
  init(_ targeted: TargetedDelivery, topic: String, receipt: String? = nil) {
    self.targeted = targeted
    notification = targeted.delivery.notificationId.description
    self.topic = topic
    self.receipt = receipt
  }

  private var delivery: DispatchMessage.Delivery { targeted.delivery }
  private var content: NotificationContent { targeted.content }

  /// Where the device's pushes are sent; nil if its token is no token of APNs.
  var path: String? {
    let token = targeted.target.address
    guard !token.isEmpty, token.utf8.count.isMultiple(of: 2), token.utf8.allSatisfy(Self.isHexadecimal) else {
      return nil
    }
    return "/3/device/\(token)"
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  // MARK: Headers

  /// Those that many pushes have in common.
  var headers: [(name: String, value: String)] {
    [
      ("apns-topic", topic), ("apns-push-type", type.rawValue), ("apns-priority", content.isPushedAtOnce ? "10" : "5"),
    ]
  }

  /// Those of this push alone.
  var ownHeaders: [(name: String, value: String)] {
    [
      ("apns-id", id), ("apns-collapse-id", content.collapseIdentity(or: notification)),
      ("apns-expiration", String(max(0, content.expiry))),
    ]
  }

  /// The same at a repetition, by which both are found in Apple's log as one.
  private var id: String {
    UUID(version5: targeted.target.id, in: delivery.notificationId.uuid).uuidString.lowercased()
  }

  // MARK: Body

  /// - Returns: Nil if even an empty text leaves it too large.
  func encoded() -> PushBody? {
    PushBody(fitting: content.body, within: Self.maximumPayload, write: encoded(body:))
  }

  private func encoded(body: String) -> [UInt8] {
    var writer = JSONWriter(capacity: 1_024)
    writer.object { writer in
      writer.object("aps") { aps(body, &$0) }
      // Beside `aps`, as texts, where apps read them. Belfry's own names win over the sender's.
      for name in content.data.keys.sorted() where !isOwn(name) {
        if let value = content.data[name] { writer.dynamicField(name, value) }
      }
      writer.field("notificationId", notification)
      writer.field("type", String(content.type))
      writer.optionalField("relatedEntityType", content.relatedEntityType)
      writer.optionalField("relatedEntityId", content.relatedEntityId)
      writer.optionalField("receipt", receipt)
    }
    return writer.bytes
  }

  private func isOwn(_ name: String) -> Bool {
    switch name {
    case "aps", "notificationId", "type", "relatedEntityType", "relatedEntityId": true
    case "receipt": receipt != nil
    default: false
    }
  }

  private func aps(_ body: String, _ writer: inout JSONWriter) {
    writer.object("alert") { writer in
      writer.field("title", content.title)
      writer.field("body", body)
    }
    // Without them the icon keeps its number, and the device is silent.
    if delivery.hasBadge { writer.field("badge", delivery.badge) }
    if delivery.hasSound { writer.field("sound", content.sound ?? "default") }
    // Apps tie buttons to categories: those of a type are the same.
    writer.field("category", content.typeName)
    // What belongs together stands together on the device.
    writer.optionalField("thread-id", thread)
    if content.isUrgent { writer.field("interruption-level", "time-sensitive") }
    if content.isMutable { writer.field("mutable-content", 1) }
  }

  private var thread: String? {
    if let key = content.collapseKey { return key }
    guard let type = content.relatedEntityType, let id = content.relatedEntityId else { return nil }
    return "\(type):\(id)"
  }
}
