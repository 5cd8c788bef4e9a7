import Foundation
import JSON
import NotificationModel
import NotificationQueue

/// Builds the body of `messages:send` (FCM HTTP v1) for one device. Pure.
enum FCMMessage {
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

  /// - Returns: Nil if even an empty text leaves it too large.
  static func encode(
    _ delivery: DispatchMessage.Delivery,
    to target: DispatchMessage.Target,
    content: NotificationContent,
    web: Web = Web(),
    now: Date
  ) -> PushBody? {
    PushBody(fitting: content.body, within: maximumPayload) { text in
      write(delivery, target, content, body: text, web, now: now)
    }
  }

  private static func write(
    _ delivery: DispatchMessage.Delivery,
    _ target: DispatchMessage.Target,
    _ content: NotificationContent,
    body: String,
    _ web: Web,
    now: Date
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 1_024)
    let id = delivery.notificationId.description
    writer.object { writer in
      writer.object("message") { writer in
        writer.field("token", target.address)
        writer.object("notification") { writer in
          writer.field("title", content.title)
          writer.field("body", body)
        }
        writer.object("data") { data(&$0, id, content) }
        switch target.platform.flatMap(DevicePlatform.init(rawValue:)) {
        case .iOS: apns(&writer, id, content, delivery)
        case .web: webpush(&writer, id, content, web, delivery, now: now)
        // The others are not FCM's and do not come here.
        case .android, .apns, .webPush, nil: android(&writer, id, content, delivery, now: now)
        }
      }
    }
    return writer.bytes
  }

  /// The deep-link payload. Belfry's own names win over the sender's.
  private static func data(_ writer: inout JSONWriter, _ id: String, _ content: NotificationContent) {
    for name in content.data.keys.sorted() where !isOwn(name) {
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

  private static func apns(
    _ writer: inout JSONWriter,
    _ id: String,
    _ content: NotificationContent,
    _ delivery: DispatchMessage.Delivery
  ) {
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

  private static func android(
    _ writer: inout JSONWriter,
    _ id: String,
    _ content: NotificationContent,
    _ delivery: DispatchMessage.Delivery,
    now: Date
  ) {
    writer.object("android") { writer in
      // FCM ignores it beside a notification, and keeps four of them for a device that is offline: only the sender's own is
      // one. The tag replaces what is on display.
      writer.optionalField("collapse_key", content.collapseKey)
      writer.field("priority", content.isPushedAtOnce ? "HIGH" : "NORMAL")
      writer.field("ttl", "\(content.timeToLive(from: now, atMost: longestLife))s")
      writer.object("notification") { writer in
        // From Android 8 on the channel that the app chose decides.
        if delivery.hasSound { writer.field("sound", content.sound ?? "default") }
        writer.field("click_action", "OPEN_NOTIFICATION")
        writer.field("tag", content.replacementKey(or: id))
      }
    }
  }

  private static func webpush(
    _ writer: inout JSONWriter,
    _ id: String,
    _ content: NotificationContent,
    _ web: Web,
    _ delivery: DispatchMessage.Delivery,
    now: Date
  ) {
    writer.object("webpush") { writer in
      writer.object("headers") { writer in
        writer.field("TTL", String(content.timeToLive(from: now, atMost: longestLife)))
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
