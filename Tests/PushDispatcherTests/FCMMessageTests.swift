import Dispatching
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import Testing

@testable import PushDispatcher

@Suite struct FCMMessageTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let delivery: DispatchMessage.Delivery

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

  private var id: String { "019a8b7c-6d5e-735c-a510-b492e7201281" }

  private func content(
    body: String = "You have $42",
    data: [String: String] = ["amount": "$10.00"],
    collapseKey: String? = nil,
    priority: NotificationType.Priority = .high,
    expiresIn: TimeInterval = 3_600
  ) throws -> NotificationContent {
    let type = try #require(try Catalogue().type(.code(10)))
    var content = NotificationContent(
      type: type,
      text: type.template.render(title: "Allowance \"received\"", body: body, data: [:]),
      data: data,
      relatedEntityType: "Transaction",
      relatedEntityId: "t-1",
      collapseKey: collapseKey,
      createdAt: now - 60,
      expiresAt: now + expiresIn
    )
    content.priority = priority
    return content
  }

  private func encode(
    _ content: NotificationContent,
    platform: Int?,
    web: FCMMessage.Web = FCMMessage.Web()
  ) throws -> PushBody {
    let target = DispatchMessage.Target(id: "d", address: "token-1", platform: platform)
    let targeted = TargetedDelivery(delivery: delivery, target: target, content: content)
    return try #require(FCMMessage(targeted, web: web, now: now).encoded())
  }

  /// The object under `message`, as Foundation reads it.
  private func message(
    _ content: NotificationContent,
    platform: Int?,
    web: FCMMessage.Web = FCMMessage.Web()
  ) throws -> [String: Any] {
    let bytes = try encode(content, platform: platform, web: web).bytes
    let document = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(document.count == 1)
    return try #require(document["message"] as? [String: Any])
  }

  private func texts(_ object: Any?) throws -> [String: String] {
    try #require(object as? [String: String])
  }

  @Test(arguments: [1, 2, 3]) func `a receipt is in the data, before the sender's own`(_ platform: Int) throws {
    var content = try content()
    content.data["receipt"] = "own"
    let target = DispatchMessage.Target(id: "d", address: "token-1", platform: platform)
    let targeted = TargetedDelivery(delivery: delivery, target: target, content: content)
    for (receipt, expected) in [("r", "r"), (nil, "own")] {
      let bytes = try #require(FCMMessage(targeted, receipt: receipt, now: now).encoded()).bytes
      let document = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      let data = try texts((document?["message"] as? [String: Any])?["data"])
      #expect(data["receipt"] == expected)
    }
  }

  @Test(arguments: [1, 2, 3, nil])
  func `every platform gets token, text and deep-link data`(_ platform: Int?) throws {
    let message = try message(try content(), platform: platform)
    #expect(message["token"] as? String == "token-1")
    #expect(try texts(message["notification"]) == ["title": "Allowance \"received\"", "body": "You have $42"])
    #expect(
      try texts(message["data"]) == [
        "amount": "$10.00", "notificationId": id, "type": "10", "relatedEntityType": "Transaction",
        "relatedEntityId": "t-1",
      ]
    )
    #expect(Set(message.keys).subtracting(["token", "notification", "data"]).count == 1)
  }

  @Test(arguments: [1, 2, 3, nil])
  func `an installation id is a target of its own kind`(_ platform: Int?) throws {
    let target = DispatchMessage.Target(id: "d", address: "fid-1", platform: platform, kind: .installation)
    let targeted = TargetedDelivery(delivery: delivery, target: target, content: try content())
    let bytes = try #require(FCMMessage(targeted, now: now).encoded()).bytes
    let document = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: [String: Any]])
    #expect(document["message"]?["fid"] as? String == "fid-1")
    #expect(document["message"]?["token"] == nil)
  }

  // MARK: Data for Android

  private func dataOnly(
    data: [String: String] = ["amount": "$10.00"],
    collapseKey: String? = nil,
    priority: NotificationType.Priority = .high
  ) throws -> NotificationContent {
    var content = try content(data: data, collapseKey: collapseKey, priority: priority)
    content.android = .data
    return content
  }

  @Test(arguments: [2, nil])
  func `a type of data has no notification for Android, and all of its text in the data`(_ platform: Int?) throws {
    let message = try message(try dataOnly(collapseKey: "balance"), platform: platform)
    #expect(Set(message.keys) == ["token", "data", "android"])
    #expect(
      try texts(message["data"]) == [
        "amount": "$10.00", "notificationId": id, "type": "10", "relatedEntityType": "Transaction",
        "relatedEntityId": "t-1", "title": "Allowance \"received\"", "body": "You have $42", "tag": "balance",
        "sound": "default",
      ]
    )
    #expect(
      try texts(message["android"]) == ["collapse_key": "balance", "priority": "HIGH", "ttl": "3600s"]
    )
  }

  @Test(arguments: [1, 3])
  func `iPhones and browsers get the same of a type of data as of any other`(_ platform: Int) throws {
    #expect(
      try encode(try dataOnly(), platform: platform).bytes == encode(try content(), platform: platform).bytes
    )
  }

  @Test func `title, body, tag and sound are the sender's own where there is a notification`() throws {
    let own = ["title": "a", "body": "b", "tag": "c", "sound": "d"]
    let data = try texts(try message(try content(data: own), platform: 2)["data"])
    for (name, value) in own { #expect(data[name] == value) }
    let shown = try texts(try message(try dataOnly(data: own), platform: 2)["data"])
    #expect(shown["title"] == "Allowance \"received\"")
    #expect(shown["body"] == "You have $42")
    #expect(shown["tag"] == id)
    #expect(shown["sound"] == "default")
  }

  @Test func `who wants no sound gets data without one`() throws {
    var quiet = delivery
    quiet.hasSound = false
    let target = DispatchMessage.Target(id: "d", address: "token", platform: 2)
    let targeted = TargetedDelivery(delivery: quiet, target: target, content: try dataOnly())
    let bytes = try #require(FCMMessage(targeted, now: now).encoded()).bytes
    let document = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: [String: Any]])
    #expect(try texts(document["message"]?["data"])["sound"] == nil)
  }

  @Test func `data asks for high priority only where there is something to show`() throws {
    func priority(_ content: NotificationContent) throws -> String? {
      (try message(content, platform: 2)["android"] as? [String: Any])?["priority"] as? String
    }
    var content = try dataOnly()
    content.title = ""
    #expect(try priority(content) == "HIGH")
    content.body = ""
    #expect(try priority(content) == "NORMAL")
    #expect(try priority(try dataOnly(priority: .normal)) == "NORMAL")
  }

  @Test func `a long body of data is shortened to the last byte`() throws {
    var content = try dataOnly()
    content.body = ""
    let empty = try encode(content, platform: 2).bytes.count
    content.body = String(repeating: "x", count: 4_096 - empty)
    #expect(!(try encode(content, platform: 2).isShortened))
    content.body += "x"
    let encoded = try encode(content, platform: 2)
    #expect(encoded.isShortened && encoded.bytes.count == 4_096)
  }

  // MARK: Labels and collapsing

  @Test(arguments: [1, 2, 3, nil])
  func `a label for analytics goes with every platform's message, and none without`(_ platform: Int?) throws {
    #expect(try message(try content(), platform: platform)["fcm_options"] == nil)
    var content = try content()
    content.analyticsLabel = "allowance"
    #expect(try texts(try message(content, platform: platform)["fcm_options"]) == ["analytics_label": "allowance"])
  }

  @Test func `a collapse id is never longer than Apple takes`() throws {
    let key = String(repeating: "k", count: 65)
    let apns = try #require(try message(try content(collapseKey: key), platform: 1)["apns"] as? [String: Any])
    #expect(try texts(apns["headers"])["apns-collapse-id"] == CollapseIdentity.text(key))
  }

  @Test func `an iPhone gets badge, sound, category, collapse id, expiry and priority`() throws {
    let apns = try #require(try message(try content(), platform: 1)["apns"] as? [String: Any])
    #expect(
      try texts(apns["headers"])
        == ["apns-collapse-id": id, "apns-expiration": "1800003600", "apns-priority": "10"]
    )
    let payload = try #require(apns["payload"] as? [String: Any])
    let aps = try #require(payload["aps"] as? [String: Any])
    #expect(aps["badge"] as? Int == 7)
    #expect(aps["sound"] as? String == "default")
    #expect(aps["category"] as? String == "AllowanceDeposit")
  }

  @Test func `who wants no sound gets none on any device, and who wants no badge keeps the icon's number`() throws {
    var quiet = delivery
    (quiet.hasSound, quiet.hasBadge) = (false, false)
    func message(_ platform: Int) throws -> [String: Any] {
      let target = DispatchMessage.Target(id: "d", address: "token", platform: platform)
      let targeted = TargetedDelivery(delivery: quiet, target: target, content: try content())
      let bytes = try #require(FCMMessage(targeted, now: now).encoded()).bytes
      let json = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      return try #require(json["message"] as? [String: Any])
    }
    let payload = try #require(try message(1)["apns"] as? [String: Any])["payload"] as? [String: Any]
    #expect(try texts(payload?["aps"]) == ["category": "AllowanceDeposit"])
    let android = try #require(try message(2)["android"] as? [String: Any])
    #expect(try texts(android["notification"]) == ["click_action": "OPEN_NOTIFICATION", "tag": id])
    let webpush = try #require(try message(3)["webpush"] as? [String: Any])
    #expect((webpush["notification"] as? [String: Any])?["silent"] as? Bool == true)
  }

  @Test func `an Android device gets priority, time to live, click action and a tag`() throws {
    for platform in [2, nil, 9] {
      let android = try #require(try message(try content(), platform: platform)["android"] as? [String: Any])
      #expect(android["priority"] as? String == "HIGH")
      #expect(android["ttl"] as? String == "3600s")
      #expect(android["collapse_key"] == nil)
      #expect(
        try texts(android["notification"]) == ["sound": "default", "click_action": "OPEN_NOTIFICATION", "tag": id]
      )
    }
  }

  @Test func `what pierces quiet hours asks to be shown at once, with the type's own sound`() throws {
    var content = try content(priority: .normal)
    content.isUrgent = true
    content.sound = "alarm.caf"
    let apns = try #require(try message(content, platform: 1)["apns"] as? [String: Any])
    #expect(try texts(apns["headers"])["apns-priority"] == "10")
    let aps = try #require((apns["payload"] as? [String: Any])?["aps"] as? [String: Any])
    #expect(aps["interruption-level"] as? String == "time-sensitive")
    #expect(aps["sound"] as? String == "alarm.caf")
    let android = try #require(try message(content, platform: 2)["android"] as? [String: Any])
    #expect(android["priority"] as? String == "HIGH")
    #expect(try texts(android["notification"])["sound"] == "alarm.caf")
    let webpush = try #require(try message(content, platform: 3)["webpush"] as? [String: Any])
    #expect(try texts(webpush["headers"])["Urgency"] == "high")
  }

  @Test func `nothing else says how it interrupts`() throws {
    let apns = try #require(try message(try content(), platform: 1)["apns"] as? [String: Any])
    let aps = try #require((apns["payload"] as? [String: Any])?["aps"] as? [String: Any])
    #expect(Set(aps.keys) == ["badge", "sound", "category"])
  }

  @Test func `a browser gets time to live, urgency and a tag`() throws {
    let webpush = try #require(try message(try content(), platform: 3)["webpush"] as? [String: Any])
    #expect(try texts(webpush["headers"]) == ["TTL": "3600", "Urgency": "high"])
    let notification = try #require(webpush["notification"] as? [String: Any])
    #expect(notification["tag"] as? String == id)
    #expect(notification["icon"] == nil)
    #expect(webpush["fcm_options"] == nil)
  }

  @Test(arguments: [("https://shop.example/inbox", "?"), ("https://shop.example/?tab=inbox", "&")])
  func `a browser's notification has the link and the icon that are configured`(link: String, separator: String) throws
  {
    let web = FCMMessage.Web(link: link, icon: "https://shop.example/icon.png")
    let webpush = try #require(try message(try content(), platform: 3, web: web)["webpush"] as? [String: Any])
    #expect(try texts(webpush["notification"]) == ["tag": id, "icon": "https://shop.example/icon.png"])
    #expect(try texts(webpush["fcm_options"]) == ["link": "\(link)\(separator)notificationId=\(id)"])
  }

  @Test func `the sender's collapse key replaces the notification's id`() throws {
    let content = try content(collapseKey: "balance", priority: .normal)
    let apns = try #require(try message(content, platform: 1)["apns"] as? [String: Any])
    #expect(try texts(apns["headers"])["apns-collapse-id"] == "balance")
    #expect(try texts(apns["headers"])["apns-priority"] == "5")
    let android = try #require(try message(content, platform: 2)["android"] as? [String: Any])
    #expect(android["collapse_key"] as? String == "balance")
    #expect(android["priority"] as? String == "NORMAL")
    #expect(try texts(android["notification"])["tag"] == "balance")
    let webpush = try #require(try message(content, platform: 3)["webpush"] as? [String: Any])
    #expect(try texts(webpush["headers"])["Urgency"] == "normal")
  }

  @Test(arguments: [(-5.0, "0s"), (0.5, "0s"), (90.9, "90s"), (90 * 86_400, "2419200s")] as [(Double, String)])
  func `time to live is between nothing and 28 days`(_ seconds: Double, _ text: String) throws {
    let android = try message(try content(expiresIn: seconds), platform: 2)["android"] as? [String: Any]
    #expect(android?["ttl"] as? String == text)
  }

  @Test func `Belfry's own names win over the sender's data`() throws {
    let data = ["notificationId": "x", "type": "x", "relatedEntityType": "x", "relatedEntityId": "x", "own": "y"]
    let bytes = try encode(try content(data: data), platform: 2).bytes
    #expect(String(decoding: bytes, as: UTF8.self).components(separatedBy: "\"notificationId\"").count == 2)
    let found = try texts(try message(try content(data: data), platform: 2)["data"])
    #expect(found["notificationId"] == id)
    #expect(found["type"] == "10")
    #expect(found["relatedEntityType"] == "Transaction")
    #expect(found["relatedEntityId"] == "t-1")
    #expect(found["own"] == "y")
  }

  // MARK: 4,096 bytes

  /// A body of as many `x` as make the payload exactly as large as is allowed.
  private func exactBody(platform: Int) throws -> String {
    let empty = try encode(try content(body: ""), platform: platform).bytes.count
    return String(repeating: "x", count: 4_096 - empty)
  }

  @Test(arguments: [1, 2, 3])
  func `a payload of exactly 4096 bytes is sent whole`(_ platform: Int) throws {
    let encoded = try encode(try content(body: try exactBody(platform: platform)), platform: platform)
    #expect(encoded.bytes.count == 4_096)
    #expect(!encoded.isShortened)
  }

  @Test(arguments: [1, 2, 3])
  func `one byte more shortens the body, still to the last byte`(_ platform: Int) throws {
    let encoded = try encode(try content(body: try exactBody(platform: platform) + "x"), platform: platform)
    #expect(encoded.bytes.count == 4_096)
    #expect(encoded.isShortened)
  }

  @Test(
    arguments: [
      "x", "é", "漢", "👋", "👨‍👩‍👧‍👦", "🇩🇪", "\"", "\\", "\n", "e\u{301}\u{302}\u{303}\u{304}", "a\"👨‍👩‍👧‍👦\n",
    ]
  )
  func `a long body of any characters is cut between two of them, as late as possible`(_ unit: String) throws {
    // As long as a body may be.
    let whole = String(repeating: unit, count: min(4_000 / unit.count, 16_000 / unit.utf8.count))
    let encoded = try encode(try content(body: whole), platform: 1)
    #expect(encoded.isShortened)
    #expect(encoded.bytes.count <= 4_096)
    let document = try JSONSerialization.jsonObject(with: Data(encoded.bytes)) as? [String: Any]
    let message = try #require(document?["message"] as? [String: Any])
    let body = try #require(try texts(message["notification"])["body"])
    #expect(body.last == "…")
    let kept = body.dropLast()
    #expect(!kept.isEmpty)
    #expect(whole.hasPrefix(kept))
    let next = whole.prefix(kept.count + 1)
    let escaped = JSONWriter.object(["": String(next) + "…"]).utf8.count - JSONWriter.object(["": body]).utf8.count
    #expect(encoded.bytes.count + escaped > 4_096)
  }

  @Test func `a short body that only just fails to fit becomes an ellipsis`() throws {
    let bare = try encode(try content(body: "", data: ["k": ""]), platform: 2).bytes.count
    let data = ["k": String(repeating: "v", count: 4_096 - bare - 4)]
    let encoded = try encode(try content(body: "hello", data: data), platform: 2)
    #expect(encoded.isShortened)
    #expect(encoded.bytes.count <= 4_096)
    #expect(try encode(try content(body: "1234", data: data), platform: 2).bytes.count == 4_096)
  }

  @Test func `data that leaves no room for any text makes no message, not a cut one`() throws {
    let target = DispatchMessage.Target(id: "d", address: "token-1", platform: 1)
    let content = try content(data: ["k": String(repeating: "v", count: 4_090)])
    let targeted = TargetedDelivery(delivery: delivery, target: target, content: content)
    #expect(FCMMessage(targeted, now: now).encoded() == nil)
  }
}
