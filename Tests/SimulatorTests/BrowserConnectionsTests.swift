import Cryptography
import BelfryJSON
import Synchronization
import Testing

@testable import Simulator

/// The protocol `push-notification`, as a browser speaks it.
struct BrowserConnectionsTests {
  private static let channel = "7b2a0a3c-6f0e-4c1e-9d43-0c6f3a1b2c3d"
  private static let other = "0c6f3a1b-2c3d-4c1e-9d43-7b2a0a3c6f0e"

  private let subscriptions = WebPushSubscriptions()
  private let log = WebPushLog(maximumCount: 100, maximumBytes: 1_000_000)
  private let browsers: BrowserConnections

  init() {
    browsers = BrowserConnections(subscriptions: subscriptions, log: log)
  }

  /// A browser's end of a connection.
  private final class Wire: Sendable {
    private let messages = Mutex<[JSONValue]>([])
    private let closed = Mutex(false)

    var isClosed: Bool { closed.withLock { $0 } }

    func makeLink() -> BrowserConnections.Link {
      BrowserConnections.Link(
        send: { bytes in
          let message = (try? JSONParser.parse(bytes)) ?? .null
          self.messages.withLock { $0.append(message) }
        },
        close: { self.closed.withLock { $0 = true } }
      )
    }

    /// What came since the last time.
    func heard() -> [JSONValue] {
      messages.withLock { messages in
        defer { messages = [] }
        return messages
      }
    }

    /// The versions of the pushes among it.
    func versions() -> [String] {
      heard().compactMap { $0["messageType"]?.string == "notification" ? $0["version"]?.string : nil }
    }
  }

  private struct Browser {
    let wire = Wire()
    let link: BrowserConnections.Link

    init() { link = wire.makeLink() }
  }

  private func say(_ text: String, by browser: Browser, now: Double = 0) {
    browsers.receive(Array(text.utf8), on: browser.link, now: now) { "https://localhost:7070/push/\($0)" }
  }

  /// - Returns: The name that the browser has from then on, and what waited for it.
  private func greet(_ browser: Browser, as name: String? = nil, now: Double = 0) throws -> (String, waited: [String]) {
    let uaid = name.map { #","uaid":"\#($0)""# } ?? ""
    say(#"{"messageType":"hello","use_webpush":true,"broadcasts":{}\#(uaid)}"#, by: browser, now: now)
    let heard = browser.wire.heard()
    let hello = try #require(heard.first)
    #expect(hello["messageType"]?.string == "hello" && hello["status"]?.integer == 200)
    #expect(hello["use_webpush"]?.boolean == true)
    return (try #require(hello["uaid"]?.string), heard.dropFirst().compactMap { $0["version"]?.string })
  }

  private func register(_ browser: Browser, _ channel: String = channel, key: String? = nil) throws -> JSONValue {
    let key = key.map { #","key":"\#($0)""# } ?? ""
    say(#"{"messageType":"register","channelID":"\#(channel)"\#(key)}"#, by: browser)
    let answer = try #require(browser.wire.heard().last)
    #expect(answer["messageType"]?.string == "register" && answer["channelID"]?.string == channel)
    return answer
  }

  private func subscribe(_ browser: Browser, _ channel: String = channel) throws -> WebPushSubscriptions.Subscription {
    let answer = try register(browser, channel)
    #expect(answer["status"]?.integer == 200)
    let endpoint = try #require(answer["pushEndpoint"]?.string)
    return try #require(subscriptions[String(endpoint.dropFirst("https://localhost:7070/push/".count))])
  }

  private func push(
    _ version: String,
    to subscription: WebPushSubscriptions.Subscription,
    ttl: Int = 60,
    topic: String? = nil,
    body: [UInt8] = [1, 2, 3],
    now: Double = 0
  ) throws {
    var headers = [(name: "ttl", value: "\(ttl)"), (name: "content-encoding", value: "aes128gcm")]
    if let topic { headers.append((name: "topic", value: topic)) }
    let request = ReceivedRequest(path: "/push/\(subscription.id)", headers: headers, body: body)
    browsers.hand(try WebPush(request, to: subscription, from: "mailto:a@b.c"), version: version, now: now)
  }

  // MARK: Who it is

  @Test func `a browser gets a name, and keeps it when it comes back`() throws {
    let first = Browser()
    let (name, _) = try greet(first)
    #expect(!name.isEmpty && name.utf8.count <= 128)
    browsers.ended(first.link)
    #expect(try greet(Browser(), as: name).0 == name)
    #expect(try greet(Browser(), as: "unknown").0 != "unknown", "its subscriptions have ended")
    #expect(try greet(Browser()).0 != name)
  }

  @Test func `who comes back takes the place of its own connection, whose end is no longer its own`() throws {
    let (old, new) = (Browser(), Browser())
    let (name, _) = try greet(old)
    let subscription = try subscribe(old)
    _ = try greet(new, as: name)
    #expect(old.wire.isClosed && !new.wire.isClosed)
    browsers.ended(old.link)
    try push("a", to: subscription, ttl: 0)
    #expect(new.wire.versions() == ["a"] && old.wire.heard().isEmpty)
  }

  @Test(arguments: ["", "[]", "7", #"{"messageType":7}"#, #"{"messageType":"register"}"#, #"{"messageType":"ack"}"#])
  func `who does not greet first is left`(_ text: String) {
    let browser = Browser()
    say(text, by: browser)
    #expect(browser.wire.isClosed && browser.wire.heard().isEmpty)
  }

  @Test func `who greets twice is left`() throws {
    let browser = Browser()
    _ = try greet(browser)
    say(#"{"messageType":"hello"}"#, by: browser)
    #expect(browser.wire.isClosed)
  }

  @Test func `a ping is answered with a ping, and what nobody needs with nothing`() throws {
    let browser = Browser()
    _ = try greet(browser)
    say("{}", by: browser)
    #expect(browser.wire.heard() == [.object([])])
    say(#"{"messageType":"broadcast_subscribe","broadcasts":{}}"#, by: browser)
    #expect(browser.wire.heard().isEmpty && !browser.wire.isClosed)
  }

  // MARK: Subscriptions

  @Test func `a channel is a subscription that only the browser can read, and stays one`() throws {
    let browser = Browser()
    _ = try greet(browser)
    let key = try VAPIDKey(PrivateKey(.p256)).publicText
    let first = try register(browser, key: key)
    let endpoint = try #require(first["pushEndpoint"]?.string)
    let id = String(endpoint.dropFirst("https://localhost:7070/push/".count))
    #expect(subscriptions[id]?.serverKey == key && subscriptions[id]?.keys == nil)
    #expect(try register(browser, key: key + "=")["pushEndpoint"]?.string == endpoint, "the same, however it is padded")
    let second = try register(browser, key: VAPIDKey(PrivateKey(.p256)).publicText)
    #expect(second["status"]?.integer == 200 && second["pushEndpoint"]?.string != endpoint)
    #expect(subscriptions[id]?.isGone == true, "another key, another subscription")
  }

  @Test func `no key but a point of P-256 is taken, and no channel but a UUID`() throws {
    let browser = Browser()
    _ = try greet(browser)
    let refused = try register(browser, key: "AAAA")
    #expect(refused["status"]?.integer == 400 && refused["pushEndpoint"] == nil)
    #expect(!browser.wire.isClosed)
    say(#"{"messageType":"register","channelID":"x"}"#, by: browser)
    #expect(browser.wire.isClosed && browser.wire.heard().isEmpty)
  }

  @Test func `what a browser unsubscribes is gone, and the rest stays`() throws {
    let browser = Browser()
    _ = try greet(browser)
    let (gone, kept) = (try subscribe(browser), try subscribe(browser, Self.other))
    say(#"{"messageType":"unregister","channelID":"\#(Self.channel)","code":200}"#, by: browser)
    let answer = try #require(browser.wire.heard().last)
    #expect(answer["messageType"]?.string == "unregister" && answer["status"]?.integer == 200)
    #expect(subscriptions[gone.id]?.isGone == true && subscriptions[kept.id]?.isGone == false)
    try push("a", to: gone)
    try push("b", to: kept)
    #expect(browser.wire.versions() == ["b"])
  }

  @Test func `a browser has so many channels and no more`() throws {
    let browser = Browser()
    _ = try greet(browser)
    for number in 0..<BrowserConnections.maximumChannels {
      let digits = String(number, radix: 16)
      let last = String(repeating: "0", count: 12 - digits.count) + digits
      #expect(try register(browser, "00000000-0000-4000-8000-\(last)")["status"]?.integer == 200)
    }
    #expect(try register(browser)["status"]?.integer == 500)
  }

  // MARK: Pushes

  @Test func `a push comes with its channel, its version and its body`() throws {
    let browser = Browser()
    _ = try greet(browser)
    let subscription = try subscribe(browser)
    try push("v", to: subscription, body: [0xFB, 0xFF])
    let message = try #require(browser.wire.heard().last)
    #expect(message["messageType"]?.string == "notification" && message["channelID"]?.string == Self.channel)
    #expect(message["version"]?.string == "v" && message["data"]?.string == "-_8")
    #expect(message["headers"]?["encoding"]?.string == "aes128gcm")
    try push("w", to: subscription, body: [])
    let empty = try #require(browser.wire.heard().last)
    #expect(empty["version"]?.string == "w" && empty["data"] == nil && empty["headers"] == nil)
  }

  @Test func `what a browser has not acknowledged comes again, as long as it is of use`() throws {
    let browser = Browser()
    let (name, _) = try greet(browser)
    let subscription = try subscribe(browser)
    for version in ["a", "b", "c"] { try push(version, to: subscription) }
    try push("short", to: subscription, ttl: 5)
    #expect(browser.wire.versions() == ["a", "b", "c", "short"])
    let updates = [("b", 100), ("c", 101), ("b", 100), ("unknown", 100)].map { version, code in
      #"{"channelID":"\#(Self.channel)","version":"\#(version)","code":\#(code)}"#
    }
    say(#"{"messageType":"ack","updates":[\#(updates.joined(separator: ","))]}"#, by: browser)
    #expect(log.summary().acknowledged == ["100": 1, "101": 1])
    browsers.ended(browser.link)
    try push("d", to: subscription, now: 5)
    try push("now or never", to: subscription, ttl: 0, now: 5)
    #expect(browser.wire.versions().isEmpty, "it is away")
    #expect(try greet(Browser(), as: name, now: 5).waited == ["a", "d"])
  }

  @Test func `of several pushes with one topic the last one waits`() throws {
    let browser = Browser()
    let (name, _) = try greet(browser)
    let (subscription, other) = (try subscribe(browser), try subscribe(browser, Self.other))
    browsers.ended(browser.link)
    try push("a", to: subscription, topic: "t")
    try push("b", to: other, topic: "t")
    try push("c", to: subscription)
    try push("d", to: subscription, topic: "t")
    #expect(try greet(Browser(), as: name).waited == ["b", "c", "d"])
  }

  @Test func `so many pushes wait and no more: the oldest are dropped`() throws {
    let browser = Browser()
    let (name, _) = try greet(browser)
    let subscription = try subscribe(browser)
    browsers.ended(browser.link)
    let count = BrowserConnections.maximumWaiting + 3
    for number in 0..<count { try push("\(number)", to: subscription) }
    #expect(try greet(Browser(), as: name).waited == (3..<count).map { "\($0)" })
  }

  @Test func `the browser that left first is forgotten for another, with its subscriptions`() throws {
    let (first, second, stays) = (Browser(), Browser(), Browser())
    _ = try greet(stays)
    let kept = try subscribe(stays)
    let (name, _) = try greet(second)
    _ = try greet(first)
    let gone = try subscribe(first)
    browsers.ended(first.link)
    browsers.ended(second.link)
    for _ in 3..<BrowserConnections.maximumBrowsers {
      let browser = Browser()
      _ = try greet(browser)
      browsers.ended(browser.link)
    }
    #expect(subscriptions[gone.id]?.isGone == false)
    _ = try greet(Browser())
    #expect(subscriptions[gone.id]?.isGone == true && subscriptions[kept.id]?.isGone == false)
    #expect(try greet(Browser(), as: name).0 == name)
  }
}
