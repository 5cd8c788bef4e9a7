import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import Testing

@testable import PushDispatcher

@Suite struct APNsMessageTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let delivery: DispatchMessage.Delivery
  private let id = "019a8b7c-6d5e-735c-a510-b492e7201281"
  private let token = String(repeating: "0a", count: 32)

  init() throws {
    let user = try #require(UserID("6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"))
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    delivery = DispatchMessage.Delivery(
      notificationId: NotificationID(request: request, recipient: user),
      userId: user,
      content: 0,
      badge: 7,
      targets: []
    )
  }

  private func content(
    body: String = "You have $42",
    data: [String: String] = ["amount": "$10.00"],
    collapseKey: String? = nil
  ) throws -> NotificationContent {
    let type = try #require(try Catalogue().type(.code(10)))
    return NotificationContent(
      type: type,
      text: type.template.render(title: "Allowance \"received\"", body: body, data: [:]),
      data: data,
      relatedEntityType: "Transaction",
      relatedEntityId: "t-1",
      collapseKey: collapseKey,
      createdAt: now - 60,
      expiresAt: now + 3_600
    )
  }

  private func message(
    _ content: NotificationContent,
    device: String = "d",
    address: String? = nil,
    _ change: (inout DispatchMessage.Delivery) -> Void = { _ in }
  ) -> APNsMessage {
    var delivery = delivery
    change(&delivery)
    let target = DispatchMessage.Target(id: device, address: address ?? token, platform: 11)
    return APNsMessage(
      TargetedDelivery(delivery: delivery, target: target, content: content),
      topic: "com.example.app"
    )
  }

  private func body(_ message: APNsMessage) throws -> [String: Any] {
    let bytes = try #require(message.encoded()).bytes
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private func headers(_ message: APNsMessage) -> [String: String] {
    Dictionary(uniqueKeysWithValues: (message.headers + message.ownHeaders).map { ($0.name, $0.value) })
  }

  @Test func `the body is the alert with Belfry's and the sender's members beside it, all of them texts`() throws {
    let body = try body(message(try content()))
    let aps = try #require(body["aps"] as? [String: Any])
    #expect(aps["alert"] as? [String: String] == ["title": "Allowance \"received\"", "body": "You have $42"])
    #expect(aps["badge"] as? Int == 7)
    #expect(aps["sound"] as? String == "default")
    #expect(aps["category"] as? String == "AllowanceDeposit")
    #expect(aps["thread-id"] as? String == "Transaction:t-1")
    #expect(Set(aps.keys) == ["alert", "badge", "sound", "category", "thread-id"])
    #expect(
      body.filter { $0.key != "aps" } as? [String: String] == [
        "amount": "$10.00", "notificationId": id, "type": "10", "relatedEntityType": "Transaction",
        "relatedEntityId": "t-1",
      ]
    )
  }

  @Test func `a member called aps is left out, and Belfry's own names win`() throws {
    let data = ["aps": "{}", "notificationId": "x", "type": "y", "relatedEntityType": "z", "transactionId": "t-1"]
    let body = try body(message(try content(data: data)))
    #expect(body["aps"] is [String: Any])
    #expect(body["notificationId"] as? String == id)
    #expect(body["type"] as? String == "10")
    #expect(body["relatedEntityType"] as? String == "Transaction")
    #expect(body["transactionId"] as? String == "t-1")
  }

  @Test func `a receipt wins over the sender's, and where there is none the sender's stays`() throws {
    let content = try content(data: ["receipt": "own"])
    let target = DispatchMessage.Target(id: "d", address: token, platform: 11)
    let targeted = TargetedDelivery(delivery: delivery, target: target, content: content)
    for (receipt, expected) in [("r", "r"), (nil, "own")] {
      let body = try body(APNsMessage(targeted, topic: "com.example.app", receipt: receipt))
      #expect(body["receipt"] as? String == expected)
    }
  }

  @Test func `who wants neither sound nor badge gets none, and the rest stays`() throws {
    let quiet = message(try content()) { ($0.hasSound, $0.hasBadge) = (false, false) }
    let aps = try #require(try body(quiet)["aps"] as? [String: Any])
    #expect(Set(aps.keys) == ["alert", "category", "thread-id"])
  }

  @Test func `what pierces is time-sensitive, and only a type that says so is mutable`() throws {
    var content = try content(collapseKey: "chat-1")
    (content.isUrgent, content.isMutable, content.sound) = (true, true, "alarm.caf")
    let aps = try #require(try body(message(content))["aps"] as? [String: Any])
    #expect(aps["interruption-level"] as? String == "time-sensitive")
    #expect(aps["mutable-content"] as? Int == 1)
    #expect(aps["sound"] as? String == "alarm.caf")
    #expect(aps["thread-id"] as? String == "chat-1", "the sender's key before the entity")
  }

  @Test func `the headers say which app, how urgent, until when, and what it replaces`() throws {
    var content = try content()
    content.priority = .normal
    let plain = headers(message(content))
    #expect(plain["apns-topic"] == "com.example.app")
    #expect(plain["apns-push-type"] == "alert")
    #expect(plain["apns-priority"] == "5")
    #expect(plain["apns-expiration"] == "1800003600")
    #expect(plain["apns-collapse-id"] == id)
    content.priority = .high
    content.collapseKey = "chat-1"
    #expect(headers(message(content))["apns-priority"] == "10")
    #expect(headers(message(content))["apns-collapse-id"] == "chat-1")
  }

  @Test func `the id is a UUID in small letters, the same at a repetition and another for another device`() throws {
    func id(_ device: String) throws -> String {
      try #require(headers(message(try content(), device: device))["apns-id"])
    }
    let first = try id("d")
    #expect(first.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
    #expect(try id("d") == first)
    #expect(try id("e") != first)
  }

  @Test func `a collapse key of more than 64 bytes is the same collapse id as through FCM`() throws {
    let key = String(repeating: "k", count: 65)
    let sent = try #require(headers(message(try content(collapseKey: key)))["apns-collapse-id"])
    #expect(sent == CollapseIdentity.text(key) && sent.utf8.count == 64)
  }

  @Test(arguments: ["", "0a0", "zz", "0a/../", "0a?x", "0a\n"])
  func `what is no token in hex has no path`(_ address: String) throws {
    #expect(message(try content(), address: address).path == nil)
  }

  @Test func `a token in hex of any length is the path's end`() throws {
    for address in [token, token.uppercased(), String(repeating: "f0", count: 100)] {
      #expect(message(try content(), address: address).path == "/3/device/\(address)")
    }
  }

  @Test(arguments: ["a", "ü", "👨‍👩‍👧‍👦", "\""])
  func `4,096 bytes hold, and the text is cut between characters`(_ character: String) throws {
    // As long as a text may be: 4,000 characters, or 16,000 bytes.
    let text = String(repeating: character, count: min(4_000, 16_000 / character.utf8.count))
    let push = try #require(message(try content(body: text)).encoded())
    #expect(push.isShortened)
    #expect(push.bytes.count <= 4_096 && push.bytes.count > 4_096 - 60)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(push.bytes)) as? [String: Any])
    let alert = try #require((document["aps"] as? [String: Any])?["alert"] as? [String: String])
    let body = try #require(alert["body"])
    #expect(body.hasSuffix("…") && text.hasPrefix(body.dropLast()))
  }

  @Test func `what is too large without its text is not sent`() throws {
    let data = ["note": String(repeating: "x", count: 4_000)]
    #expect(message(try content(data: data)).encoded() == nil)
  }
}
