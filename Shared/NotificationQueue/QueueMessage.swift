import Foundation
public import BelfryJSON
import NotificationModel
import WallClock

/// A message between Belfry's services. Read and written by hand: it happens once per notification, and Foundation's coders
/// took a third of the router's time.
public protocol QueueMessage: Sendable {
  /// The versions of the body's form that can be read.
  static var versions: ClosedRange<Int> { get }
  /// Version of the body's form.
  var v: Int { get }
  /// Reads all but the version, which fits.
  init(_ fields: JSONFields) throws(JSONFieldError)
  /// Writes the whole object.
  func write(to writer: inout JSONWriter)
}

extension QueueMessage {
  public static var versions: ClosedRange<Int> { QueueCoder.version...QueueCoder.version }
}

extension JSONFields {
  /// A number that somebody will count on from here: any client may publish, and a sum beyond `Int` ends the process.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(JSONFieldError) -> Int {
    guard let number = try optionalInteger(name, in: range) else { throw JSONFieldError("'\(name)' is missing") }
    return number
  }

  func optionalInteger(_ name: String, in range: ClosedRange<Int>) throws(JSONFieldError) -> Int? {
    guard let number = try optionalInteger(name) else { return nil }
    guard range.contains(number) else {
      throw JSONFieldError("expected \(range.lowerBound) to \(range.upperBound)", at: name)
    }
    return number
  }

  func identifier<Subject>(_ name: String) throws(JSONFieldError) -> Identifier<Subject> {
    // Not by `value`, which stays generic: there are two for each delivery.
    guard let identifier = Identifier<Subject>(try string(name)) else {
      throw JSONFieldError("expected a UUID", at: name)
    }
    return identifier
  }

  func identifiers<Subject>(_ name: String) throws(JSONFieldError) -> [Identifier<Subject>] {
    let identifiers = try elements(name) { (text) throws(JSONFieldError) in
      guard let identifier = text.string.flatMap({ Identifier<Subject>($0) }) else {
        throw JSONFieldError("expected a UUID")
      }
      return identifier
    }
    guard let identifiers else { throw JSONFieldError("'\(name)' is missing") }
    return identifiers
  }

  func contents() throws(JSONFieldError) -> [NotificationContent] {
    try objects("contents") { (fields) throws(JSONFieldError) in try NotificationContent(fields) }
  }
}

extension DispatchMessage: QueueMessage {
  public init(_ fields: JSONFields) throws(JSONFieldError) {
    attempt = try fields.integer("attempt", in: 0...DispatchMessage.maximumAttempt)
    failingSince = try fields.optionalValue("failingSince", expected: "an RFC 3339 time") { Date(rfc3339: $0) }
    notBefore = try fields.optionalValue("notBefore", expected: "an RFC 3339 time") { Date(rfc3339: $0) }
    recheck = try fields.boolean("recheck")
    contents = try fields.contents()
    deliveries = try fields.objects("deliveries") { (fields) throws(JSONFieldError) in try Delivery(fields) }
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("v", v)
      writer.field("attempt", attempt)
      writer.optionalField("failingSince", failingSince?.rfc3339)
      writer.optionalField("notBefore", notBefore?.rfc3339)
      writer.field("recheck", recheck)
      writer.array("contents") { writer in
        for content in contents { content.write(to: &writer) }
      }
      writer.array("deliveries") { writer in
        for delivery in deliveries { delivery.write(to: &writer) }
      }
    }
  }
}

extension DispatchMessage.Delivery {
  fileprivate init(_ fields: JSONFields) throws(JSONFieldError) {
    notificationId = try fields.identifier("notificationId")
    userId = try fields.identifier("userId")
    content = try fields.integer("content")
    badge = try fields.integer("badge", in: QueueCoder.counts)
    hasSound = try fields.optionalBoolean("hasSound") ?? true
    hasBadge = try fields.optionalBoolean("hasBadge") ?? true
    targets = try fields.objects("targets") { (fields) throws(JSONFieldError) in
      DispatchMessage.Target(
        id: try fields.string("id"),
        address: try fields.string("address"),
        platform: try fields.optionalInteger("platform"),
        name: try fields.optionalString("name"),
        credentials: try fields.optionalObject("credentials") { (fields) throws(JSONFieldError) in
          SubscriptionKeys(p256dh: try fields.string("p256dh"), auth: try fields.string("auth"))
        },
        kind: try fields.optionalInteger("kind").flatMap(DeviceAddressKind.init(rawValue:)) ?? .token,
        apns: try fields.optionalObject("apns") { (fields) throws(JSONFieldError) in
          APNsAddress(
            environment: try fields.optionalString("environment").flatMap(APNsAddress.Environment.init(rawValue:)),
            topic: try fields.optionalString("topic"),
            registeredAt: try fields.optionalValue("registeredAt", expected: "an RFC 3339 time") { Date(rfc3339: $0) }
          )
        },
        vapidKey: try fields.optionalString("vapidKey"),
        // One of a later version would be one of a later version's message.
        audience: try fields.optionalValue("audience", expected: "topic or condition") { PushAudience(rawValue: $0) },
        locale: try fields.optionalString("locale"),
        zone: try fields.optionalString("zone")
      )
    }
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("notificationId", notificationId)
      writer.field("userId", userId)
      writer.field("content", content)
      writer.field("badge", badge)
      // Nearly all want both.
      if !hasSound { writer.field("hasSound", false) }
      if !hasBadge { writer.field("hasBadge", false) }
      writer.array("targets") { writer in
        for target in targets {
          writer.object { writer in
            writer.field("id", target.id)
            writer.field("address", target.address)
            if let platform = target.platform { writer.field("platform", platform) }
            writer.optionalField("name", target.name)
            if let credentials = target.credentials {
              writer.object("credentials") { writer in
                writer.field("p256dh", credentials.p256dh)
                writer.field("auth", credentials.auth)
              }
            }
            if target.kind != .token { writer.field("kind", target.kind.rawValue) }
            if let apns = target.apns {
              writer.object("apns") { writer in
                writer.optionalField("environment", apns.environment?.rawValue)
                writer.optionalField("topic", apns.topic)
                writer.optionalField("registeredAt", apns.registeredAt?.rfc3339)
              }
            }
            writer.optionalField("vapidKey", target.vapidKey)
            writer.optionalField("audience", target.audience?.rawValue)
            writer.optionalField("locale", target.locale)
            writer.optionalField("zone", target.zone)
          }
        }
      }
    }
  }
}
