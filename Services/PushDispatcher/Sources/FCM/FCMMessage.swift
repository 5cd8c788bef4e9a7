import Dispatching
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue

/// The body of `messages:send` (FCM HTTP v1) for one device, or for a topic. Pure.
struct FCMMessage {
  /// FCM's limits on the payload of a message to a token, and of one to a topic.
  private static let (devicePayload, topicPayload) = (4_096, 2_048)
  /// Seconds for which FCM keeps a message at most: 28 days.
  private static let longestLife = 28 * 86_400

  typealias Web = WebAppearance

  private let targeted: TargetedDelivery
  private let id: String
  private let web: Web
  private let receipt: String?
  private let now: Date

  /// - Parameter receipt: With which the device reports what it displays; nil: none.
  init(_ targeted: TargetedDelivery, web: Web = Web(), receipt: String? = nil, now: Date) {
    self.targeted = targeted
    id = targeted.delivery.notificationId.description
    self.web = web
    self.receipt = receipt
    self.now = now
  }

  private var delivery: DispatchMessage.Delivery { targeted.delivery }
  private var content: NotificationContent { targeted.content }

  private var platform: DevicePlatform? { targeted.target.platform.flatMap(DevicePlatform.init(rawValue:)) }

  private var audience: PushAudience? { targeted.target.audience }

  /// Bytes that FCM takes.
  var maximumPayload: Int { audience == nil ? Self.devicePayload : Self.topicPayload }

  /// Whether the app shows it: the system shows what has a notification, and of several that wait only the last one comes.
  private var isDataOnly: Bool {
    // A topic has devices of all kinds.
    if audience != nil { return false }
    return switch platform {
    case .iOS, .web: false
    case .android, .apns, .webPush, nil: content.android == .data
    }
  }

  /// - Returns: Nil if even an empty text leaves it too large.
  func encoded() -> PushBody? {
    PushBody(fitting: content.body, within: maximumPayload + uncounted, write: encoded(body:))
  }

  /// Bytes of a topic's message beside its payload: each device gets its own platform's block, and none gets the target.
  private var uncounted: Int {
    guard audience != nil else { return 0 }
    func size(_ write: (inout JSONWriter) -> Void) -> Int {
      var writer = JSONWriter(capacity: 1_024)
      writer.object { write(&$0) }
      return writer.bytes.count
    }
    let blocks = [size(apns), size(android), size(webpush)]
    return size(target) + blocks.reduce(0, +) - (blocks.max() ?? 0)
  }

  private func encoded(body: String) -> [UInt8] {
    var writer = JSONWriter(capacity: 1_024)
    writer.object { writer in
      writer.object("message") { writer in
        target(&writer)
        if !isDataOnly {
          writer.object("notification") { writer in
            writer.field("title", content.title)
            writer.field("body", body)
          }
        }
        writer.object("data") { data(body, &$0) }
        switch platform {
        case _ where audience != nil:
          apns(&writer)
          android(&writer)
          webpush(&writer)
        case .iOS: apns(&writer)
        case .web: webpush(&writer)
        // The others are not FCM's and do not come here.
        case .android, .apns, .webPush, nil: android(&writer)
        }
        if let label = content.analyticsLabel {
          writer.object("fcm_options") { $0.field("analytics_label", label) }
        }
      }
    }
    return writer.bytes
  }

  private func target(_ writer: inout JSONWriter) {
    let address = targeted.target.address
    switch audience {
    case .topic: return writer.field("topic", address)
    case .condition: return writer.field("condition", address)
    case nil: break
    }
    switch targeted.target.kind {
    case .token: writer.field("token", address)
    case .installation: writer.field("fid", address)
    }
  }

  /// The deep-link payload, and without a notification all that the app shows. Belfry's own names win over the sender's.
  private func data(_ body: String, _ writer: inout JSONWriter) {
    for name in content.data.keys.sorted() where !isOwn(name) {
      if let value = content.data[name] { writer.dynamicField(name, value) }
    }
    // What goes to a topic is in nobody's inbox: there is no such notification.
    if audience == nil { writer.field("notificationId", id) }
    writer.field("type", String(content.type))
    writer.optionalField("relatedEntityType", content.relatedEntityType)
    writer.optionalField("relatedEntityId", content.relatedEntityId)
    writer.optionalField("receipt", receipt)
    guard isDataOnly else { return }
    writer.field("title", content.title)
    writer.field("body", body)
    writer.field("tag", content.replacementKey(or: id))
    // Without it the recipient wants none.
    if delivery.hasSound { writer.field("sound", content.sound ?? "default") }
  }

  private func isOwn(_ name: String) -> Bool {
    switch name {
    case "notificationId", "type", "relatedEntityType", "relatedEntityId": true
    case "receipt": receipt != nil
    default: isDataOnly && NotificationType.AndroidForm.ownNames.contains(name)
    }
  }

  private func apns(_ writer: inout JSONWriter) {
    writer.object("apns") { writer in
      writer.object("headers") { writer in
        writer.field("apns-collapse-id", content.collapseIdentity(or: id))
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
      // one. The tag replaces what is on display; with data alone that is for the app to do.
      writer.optionalField("collapse_key", content.collapseKey)
      writer.field("priority", isShownAtOnce ? "HIGH" : "NORMAL")
      writer.field("ttl", "\(content.timeToLive(from: now, atMost: Self.longestLife))s")
      if isDataOnly { return }
      writer.object("notification") { writer in
        // From Android 8 on the channel that the app chose decides.
        if delivery.hasSound { writer.field("sound", content.sound ?? "default") }
        writer.field("click_action", "OPEN_NOTIFICATION")
        writer.field("tag", content.replacementKey(or: id))
      }
    }
  }

  /// FCM lowers the priority of an app whose urgent messages show nothing: with data alone it depends on there being a text.
  private var isShownAtOnce: Bool {
    content.isPushedAtOnce && !(isDataOnly && content.title.isEmpty && content.body.isEmpty)
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
      guard let link = audience == nil ? web.link(to: id) : web.link else { return }
      writer.object("fcm_options") { $0.field("link", link) }
    }
  }
}
