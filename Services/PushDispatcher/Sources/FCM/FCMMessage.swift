import Dispatching
import Foundation
import JSON
import NotificationModel
import NotificationQueue

/// The body of `messages:send` (FCM HTTP v1) for one device. Pure.
struct FCMMessage {
  /// FCM's limit on the payload of a message to a token.
  static let maximumPayload = 4_096
  /// Seconds for which FCM keeps a message at most: 28 days.
  private static let longestLife = 28 * 86_400

  /// What a browser shows and opens beside the text; the same for every notification.
  struct Web: Sendable {
    /// `https://` address that a click opens, with the notification's id added as the parameter `notificationId`; nil: none.
    var link: String?
    /// Address of a picture; nil: the browser's own.
    var icon: String?
  }

  private let targeted: TargetedDelivery
  private let id: String
  private let web: Web
  private let now: Date

  init(_ targeted: TargetedDelivery, web: Web = Web(), now: Date) {
    self.targeted = targeted
    id = targeted.delivery.notificationId.description
    self.web = web
    self.now = now
  }

  private var delivery: DispatchMessage.Delivery { targeted.delivery }
  private var content: NotificationContent { targeted.content }

  /// - Returns: Nil if even an empty text leaves it too large.
  func encoded() -> PushBody? {
    PushBody(fitting: content.body, within: Self.maximumPayload, write: encoded(body:))
  }

  private func encoded(body: String) -> [UInt8] {
    var writer = JSONWriter(capacity: 1_024)
    writer.object { writer in
      writer.object("message") { writer in
        writer.field("token", targeted.target.address)
        writer.object("notification") { writer in
          writer.field("title", content.title)
          writer.field("body", body)
        }
        writer.object("data") { data(&$0) }
        switch targeted.target.platform.flatMap(DevicePlatform.init(rawValue:)) {
        case .iOS: apns(&writer)
        case .web: webpush(&writer)
        // The others are not FCM's and do not come here.
        case .android, .apns, .webPush, nil: android(&writer)
        }
      }
    }
    return writer.bytes
  }

  /// The deep-link payload. Belfry's own names win over the sender's.
  private func data(_ writer: inout JSONWriter) {
    for name in content.data.keys.sorted() where !Self.isOwn(name) {
      if let value = content.data[name] { writer.dynamicField(name, value) }
    }
    writer.field("notificationId", id)
    writer.field("type", String(content.type))
    writer.optionalField("relatedEntityType", content.relatedEntityType)
    writer.optionalField("relatedEntityId", content.relatedEntityId)
  }

  private static func isOwn(_ name: String) -> Bool {
    switch name {
    case "notificationId", "type", "relatedEntityType", "relatedEntityId": true
    default: false
    }
  }

  private func apns(_ writer: inout JSONWriter) {
    writer.object("apns") { writer in
      writer.object("headers") { writer in
        writer.field("apns-collapse-id", content.replacementKey(or: id))
        writer.field("apns-expiration", String(content.expiry))
        writer.field("apns-priority", content.isPushedAtOnce ? "10" : "5")
      }
      writer.object("payload") { writer in
        writer.object("aps") { writer in
          // Without them the icon keeps its number, and the device is silent.
          if delivery.hasBadge { writer.field("badge", delivery.badge) }
          if delivery.hasSound { writer.field("sound", content.sound ?? "default") }
          // Apps tie buttons to categories: those of a type are the same.
          writer.field("category", content.typeName)
          if content.isUrgent { writer.field("interruption-level", "time-sensitive") }
        }
      }
    }
  }

  private func android(_ writer: inout JSONWriter) {
    writer.object("android") { writer in
      // FCM ignores it beside a notification, and keeps four of them for a device that is offline: only the sender's own is
      // one. The tag replaces what is on display.
      writer.optionalField("collapse_key", content.collapseKey)
      writer.field("priority", content.isPushedAtOnce ? "HIGH" : "NORMAL")
      writer.field("ttl", "\(content.timeToLive(from: now, atMost: Self.longestLife))s")
      writer.object("notification") { writer in
        // From Android 8 on the channel that the app chose decides.
        if delivery.hasSound { writer.field("sound", content.sound ?? "default") }
        writer.field("click_action", "OPEN_NOTIFICATION")
        writer.field("tag", content.replacementKey(or: id))
      }
    }
  }

  private func webpush(_ writer: inout JSONWriter) {
    writer.object("webpush") { writer in
      writer.object("headers") { writer in
        writer.field("TTL", String(content.timeToLive(from: now, atMost: Self.longestLife)))
        writer.field("Urgency", content.isPushedAtOnce ? "high" : "normal")
      }
      writer.object("notification") { writer in
        writer.field("tag", content.replacementKey(or: id))
        writer.optionalField("icon", web.icon)
        if !delivery.hasSound { writer.field("silent", true) }
      }
      guard let link = web.link else { return }
      writer.object("fcm_options") { writer in
        writer.field("link", "\(link)\(link.contains("?") ? "&" : "?")notificationId=\(id)")
      }
    }
  }
}
