import Cryptography
import Dispatching
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue

/// A push to one browser: what it says, as Declarative Web Push has it, and how its push service is to treat it (RFC 8030). Pure.
///
/// Source: https://w3c.github.io/push-api/#declarative-push-message
struct WebPushMessage {
  /// Bytes of text that every push service takes (RFC 8291, section 4).
  static let maximumText = PushMessageEncryption.maximumText
  /// Bytes of text that the smallest device takes which is known: Firefox for Android, 2,744 with all that encryption adds.
  static let safeText = 2_744 - (PushMessageEncryption.overhead)
  /// By this number browsers know the form.
  private static let form = 8_030
  /// Seconds for which a push service keeps a message at most: Mozilla's takes 30 days, Google's 28.
  private static let longestLife = 28 * 86_400
  /// Of what a topic is made: 32 characters, as many as a topic may have.
  private static let topicBytes = 24
  /// Push services of Windows, which take no 0 without a word beside it.
  private static let windows = "notify.windows.com"

  private let targeted: TargetedDelivery
  private let id: String
  private let appearance: WebAppearance
  private let receipt: String?
  private let now: Date

  /// - Parameter receipt: With which the device reports what it displays; nil: none.
  init(_ targeted: TargetedDelivery, appearance: WebAppearance = WebAppearance(), receipt: String? = nil, now: Date) {
    self.targeted = targeted
    id = targeted.delivery.notificationId.description
    self.appearance = appearance
    self.receipt = receipt
    self.now = now
  }

  private var delivery: DispatchMessage.Delivery { targeted.delivery }
  private var content: NotificationContent { targeted.content }

  // MARK: Headers

  /// Those that many pushes have in common.
  var headers: [(name: String, value: String)] {
    [
      ("Content-Type", "application/octet-stream"), ("Content-Encoding", "aes128gcm"),
      ("Urgency", content.isPushedAtOnce ? "high" : "normal"),
    ]
  }

  /// Those of this push alone.
  ///
  /// - Parameter host: Of the push service.
  func ownHeaders(for host: String) -> [(name: String, value: String)] {
    let life = content.timeToLive(from: now, atMost: Self.longestLife)
    var headers = [(name: "TTL", value: String(life)), (name: "Topic", value: topic)]
    if life == 0, host == Self.windows || host.hasSuffix(".\(Self.windows)") {
      headers.append((name: "X-WNS-Cache-Policy", value: "no-cache"))
    }
    return headers
  }

  /// By which what waits at the push service is replaced: the key's hash, for topics are short, and the push service's to read.
  var topic: String {
    Base64URL.encode(SHA256.hash(Array(content.replacementKey(or: id).utf8)).prefix(Self.topicBytes))
  }

  // MARK: Text

  /// What is to be encrypted.
  ///
  /// - Returns: Nil if even an empty text leaves it too large.
  func encoded(within limit: Int = maximumText) -> PushBody? {
    PushBody(fitting: content.body, within: limit, write: encoded(body:))
  }

  private func encoded(body: String) -> [UInt8] {
    var writer = JSONWriter(capacity: 1_024)
    writer.object { writer in
      writer.field("web_push", Self.form)
      writer.object("notification") { writer in
        writer.field("title", content.title)
        writer.field("body", body)
        // Without it the form is not the declarative one, and the page's worker alone can show it.
        writer.optionalField("navigate", appearance.link(to: id))
        writer.field("tag", content.replacementKey(or: id))
        writer.optionalField("lang", content.locale)
        writer.optionalField("icon", appearance.icon)
        if !delivery.hasSound { writer.field("silent", true) }
        writer.object("data") { data(&$0) }
      }
      if delivery.hasBadge { writer.field("app_badge", delivery.badge) }
    }
    return writer.bytes
  }

  /// The deep-link payload. Belfry's own names win over the sender's.
  private func data(_ writer: inout JSONWriter) {
    for name in content.data.keys.sorted() where !isOwn(name) {
      if let value = content.data[name] { writer.dynamicField(name, value) }
    }
    writer.field("notificationId", id)
    writer.field("type", String(content.type))
    writer.optionalField("relatedEntityType", content.relatedEntityType)
    writer.optionalField("relatedEntityId", content.relatedEntityId)
    writer.optionalField("receipt", receipt)
  }

  private func isOwn(_ name: String) -> Bool {
    switch name {
    case "notificationId", "type", "relatedEntityType", "relatedEntityId": true
    case "receipt": receipt != nil
    default: false
    }
  }
}
