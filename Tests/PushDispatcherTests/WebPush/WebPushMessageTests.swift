import Cryptography
import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import Testing

@testable import PushDispatcher

@Suite struct WebPushMessageTests {
  private let browser: Browser

  init() throws {
    browser = try Browser()
  }

  private func message(
    _ content: NotificationContent,
    _ appearance: WebAppearance = WebAppearance(),
    receipt: String? = nil,
    now: Date = .now,
    _ change: (inout DispatchMessage.Delivery) -> Void = { _ in }
  ) -> WebPushMessage {
    WebPushMessage(browser.targeted(content, change), appearance: appearance, receipt: receipt, now: now)
  }

  private func document(_ message: WebPushMessage) throws -> [String: Any] {
    let bytes = try #require(message.encoded()).bytes
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private func headers(_ message: WebPushMessage, host: String = "push.example") -> [String: String] {
    Dictionary(uniqueKeysWithValues: (message.headers + message.ownHeaders(for: host)).map { ($0.name, $0.value) })
  }

  @Test func `the text is a declarative message, with Belfry's and the sender's data in it`() throws {
    var content = try Browser.content(collapseKey: "balance")
    content.locale = "en"
    let link = WebAppearance(link: "https://shop.example/inbox?a=1", icon: "https://shop.example/icon.png")
    var id = ""
    let document = try document(message(content, link, receipt: "r") { id = $0.notificationId.description })
    #expect(Set(document.keys) == ["web_push", "notification", "app_badge"])
    #expect(document["web_push"] as? Int == 8_030)
    #expect(document["app_badge"] as? Int == 3)
    let shown = try #require(document["notification"] as? [String: Any])
    #expect(Set(shown.keys) == ["title", "body", "navigate", "tag", "lang", "icon", "data"])
    #expect(shown["title"] as? String == "Allowance \"received\"")
    #expect(shown["body"] as? String == "You have $42")
    #expect(shown["navigate"] as? String == "https://shop.example/inbox?a=1&notificationId=\(id)")
    #expect(shown["tag"] as? String == "balance")
    #expect(shown["lang"] as? String == "en")
    #expect(shown["icon"] as? String == "https://shop.example/icon.png")
    #expect(
      shown["data"] as? [String: String] == [
        "amount": "$10.00", "notificationId": id, "type": "10", "relatedEntityType": "Transaction",
        "relatedEntityId": "t-1", "receipt": "r",
      ]
    )
  }

  @Test(
    arguments: [
      ("https://shop.example", "https://shop.example?notificationId=n"),
      ("https://shop.example/?a=1", "https://shop.example/?a=1&notificationId=n"),
      ("https://shop.example/#/inbox", "https://shop.example/#/inbox?notificationId=n"),
      ("https://shop.example/?a=1#/inbox", "https://shop.example/?a=1#/inbox?notificationId=n"),
      ("https://shop.example/#!/inbox?a=1", "https://shop.example/#!/inbox?a=1&notificationId=n"),
      ("https://shop.example/inbox#new", "https://shop.example/inbox?notificationId=n#new"),
      ("https://shop.example/inbox?a=1#what?", "https://shop.example/inbox?a=1&notificationId=n#what?"),
    ]
  ) func `the notification's id is where the page reads parameters`(link: String, opened: String) {
    #expect(WebAppearance(link: link).link(to: "n") == opened)
  }

  @Test func `without link, sound and badge it says so, and the tag is the notification`() throws {
    var id = ""
    let quiet = message(try Browser.content()) { delivery in
      (delivery.hasSound, delivery.hasBadge) = (false, false)
      id = delivery.notificationId.description
    }
    let document = try document(quiet)
    #expect(Set(document.keys) == ["web_push", "notification"])
    let shown = try #require(document["notification"] as? [String: Any])
    #expect(Set(shown.keys) == ["title", "body", "tag", "silent", "data"])
    #expect(shown["silent"] as? Bool == true)
    #expect(shown["tag"] as? String == id)
  }

  @Test func `Belfry's own names win over the sender's, and a receipt's only where there is one`() throws {
    let content = try Browser.content(data: ["notificationId": "x", "type": "y", "receipt": "z", "own": "1"])
    func data(_ receipt: String?) throws -> [String: String] {
      let shown = try #require(try document(message(content, receipt: receipt))["notification"] as? [String: Any])
      return try #require(shown["data"] as? [String: String])
    }
    #expect(try data("r")["receipt"] == "r")
    #expect(try data(nil)["receipt"] == "z")
    #expect(try data("r")["type"] == "10")
    #expect(try data("r")["own"] == "1")
  }

  @Test func `the headers say how urgent it is, for how long it is kept, and what it replaces`() throws {
    let now = Date.now
    var content = try Browser.content(collapseKey: "chat-1", life: 3_600.5)
    content.priority = .normal
    let plain = headers(message(content, now: now))
    #expect(plain["Content-Encoding"] == "aes128gcm")
    #expect(plain["Urgency"] == "normal")
    #expect(try (3_590...3_600).contains(#require(plain["TTL"].flatMap { Int($0) })))
    // By hashlib: base64url of the first 24 bytes of the key's SHA-256.
    #expect(plain["Topic"] == Base64URL.encode(SHA256.hash(Array("chat-1".utf8)).prefix(24)))
    #expect(plain["Topic"]?.utf8.count == 32)
    content.priority = .high
    #expect(headers(message(content))["Urgency"] == "high")
    #expect(headers(message(content, now: now + 4_000))["TTL"] == "0")
    let longest = try Browser.content(life: 366 * 86_400)
    #expect(headers(message(longest))["TTL"] == "2419200")
  }

  @Test func `a repetition has the same topic, and another notification another`() throws {
    let content = try Browser.content()
    let targeted = browser.targeted(content)
    let topics = (0..<2).map { WebPushMessage(targeted, now: Date.now + Double($0)).topic }
    #expect(topics[0] == topics[1])
    #expect(message(content).topic != topics[0])
  }

  @Test func `Windows' service is told not to keep what lives no longer`() throws {
    let ended = message(try Browser.content(life: -1))
    #expect(headers(ended, host: "wns2-by3p.notify.windows.com")["X-WNS-Cache-Policy"] == "no-cache")
    #expect(headers(ended)["X-WNS-Cache-Policy"] == nil)
    #expect(headers(message(try Browser.content()), host: "notify.windows.com")["X-WNS-Cache-Policy"] == nil)
  }

  @Test(arguments: ["a", "ü", "👨‍👩‍👧‍👦", "\""])
  func `3,993 bytes hold, and the text is cut between characters`(_ character: String) throws {
    // As long as a text may be: 4,000 characters, or 16,000 bytes.
    let text = String(repeating: character, count: min(4_000, 16_000 / character.utf8.count))
    let push = try #require(message(try Browser.content(body: text)).encoded())
    #expect(push.isShortened)
    #expect(push.bytes.count <= 3_993 && push.bytes.count > 3_993 - 60)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(push.bytes)) as? [String: Any])
    let body = try #require((document["notification"] as? [String: Any])?["body"] as? String)
    #expect(body.hasSuffix("…") && text.hasPrefix(body.dropLast()))
  }

  @Test func `what is too large without its text is not sent`() throws {
    let data = ["note": String(repeating: "x", count: 3_950)]
    #expect(message(try Browser.content(data: data)).encoded() == nil)
  }
}
