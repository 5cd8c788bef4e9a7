import Dispatching
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import Testing

@testable import PushDispatcher

/// What FCM is sent for a topic, and for a condition.
@Suite struct FCMTopicMessageTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let condition = "'a' in topics && 'b' in topics"

  private func encode(
    to topic: TopicAudience,
    body: String = "You have $42",
    data: [String: String] = ["amount": "$10.00"],
    web: FCMMessage.Web = FCMMessage.Web(),
    adjust: (inout NotificationContent) -> Void = { _ in }
  ) throws -> PushBody? {
    let type = try #require(try Catalogue().type(.code(10)))
    var content = NotificationContent(
      type: type,
      text: type.template.render(title: "Allowance", body: body, data: [:]),
      data: data,
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: now - 60,
      expiresAt: now + 3_600
    )
    adjust(&content)
    let delivery = DispatchMessage.Delivery(
      notificationId: try #require(NotificationID("019a8b7c-6d5e-7f40-8123-456789abcdef")),
      userId: UserID(UUID()),
      content: 0,
      badge: 0,
      hasBadge: false,
      targets: [.init(topic)]
    )
    let targeted = TargetedDelivery(delivery: delivery, target: delivery.targets[0], content: content)
    return FCMMessage(targeted, web: web, now: now).encoded()
  }

  private func message(_ body: PushBody?) throws -> JSONValue {
    let body = try #require(body)
    return try #require(try JSONParser.parse(body.bytes)["message"])
  }

  @Test func `a topic and a condition stand in the token's place`() throws {
    let topic = try message(try encode(to: TopicAudience(topic: "news")))
    #expect(topic["topic"]?.string == "news" && topic["condition"] == nil)
    let conditional = try message(try encode(to: TopicAudience(condition: condition)))
    #expect(conditional["condition"]?.string == condition && conditional["topic"] == nil)
    for message in [topic, conditional] { #expect(message["token"] == nil && message["fid"] == nil) }
  }

  @Test func `devices of every kind find their own block, without a badge, and nobody's notification`() throws {
    let web = FCMMessage.Web(link: "https://shop.example/inbox", icon: nil)
    let message = try message(try encode(to: TopicAudience(topic: "news"), web: web))
    #expect(message["notification"]?["title"]?.string == "Allowance")
    #expect(message["data"]?["amount"]?.string == "$10.00" && message["data"]?["type"]?.string == "10")
    #expect(message["data"]?["notificationId"] == nil)
    let aps = try #require(message["apns"]?["payload"]?["aps"])
    #expect(aps["badge"] == nil && aps["sound"]?.string == "default" && aps["category"]?.string == "AllowanceDeposit")
    #expect(message["apns"]?["headers"]?["apns-collapse-id"]?.string == "019a8b7c-6d5e-7f40-8123-456789abcdef")
    #expect(message["android"]?["notification"]?["click_action"]?.string == "OPEN_NOTIFICATION")
    #expect(message["android"]?["ttl"]?.string == "3600s")
    #expect(message["webpush"]?["headers"]?["TTL"]?.string == "3600")
    #expect(message["webpush"]?["fcm_options"]?["link"]?.string == "https://shop.example/inbox")
  }

  @Test func `a type of data for Android has a notification all the same`() throws {
    let message = try message(try encode(to: TopicAudience(topic: "news")) { $0.android = .data })
    #expect(message["notification"]?["body"]?.string == "You have $42")
    #expect(message["android"]?["notification"]?["tag"] != nil)
    #expect(message["data"]?["title"] == nil)
  }

  /// As FCM counts: names and values of what one device gets, of the platform that gets most.
  private func payload(_ message: JSONValue) -> Int {
    func bytes(_ value: JSONValue?) -> Int {
      switch value {
      case nil, .null: 0
      case .boolean(let value): value ? 4 : 5
      case .number(let text), .string(let text): text.utf8.count
      case .array(let elements): elements.reduce(0) { $0 + bytes($1) }
      case .object(let members): members.reduce(0) { $0 + $1.name.utf8.count + bytes($1.value) }
      }
    }
    let own = [
      bytes(message["android"]?["notification"]), bytes(message["apns"]?["payload"]),
      bytes(message["webpush"]?["notification"]),
    ]
    return bytes(message["notification"]) + bytes(message["data"]) + (own.max() ?? 0)
  }

  @Test func `a long body is shortened to what a topic takes, and no further than it must`() throws {
    let body = String(repeating: "x", count: 4_000)
    let long = try TopicAudience(condition: condition)
    let encoded = try #require(try encode(to: long, body: body))
    #expect(encoded.isShortened)
    let size = payload(try message(encoded))
    #expect(size <= 2_048 && size > 1_400, "\(size)")
    // The target and the blocks of other platforms take nothing away from the text.
    let short = try #require(try encode(to: TopicAudience(topic: "a"), body: body))
    #expect(payload(try message(short)) == size)
    #expect(try encode(to: long, body: String(repeating: "x", count: 1_000))?.isShortened == false)
  }

  @Test func `what has no room even without a body is not sent`() throws {
    let data = ["k": String(repeating: "v", count: 2_040)]
    #expect(try encode(to: TopicAudience(topic: "news"), body: "", data: data) == nil)
    let largest = ["k": String(repeating: "v", count: SendRequest.maximumTopicData - 1)]
    #expect(try encode(to: TopicAudience(topic: "news"), data: largest) != nil)
  }
}
