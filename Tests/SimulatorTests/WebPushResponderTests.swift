import Cryptography
import DevelopmentControl
import Foundation
import BelfryJSON
import Synchronization
import Testing

@testable import Simulator

struct WebPushResponderTests {
  private static let origin = "https://localhost:7070"
  private let subscriptions = WebPushSubscriptions()
  private let faults = FaultList(random: { 0 })
  private let log = WebPushLog(maximumCount: 100, maximumBytes: 1_000_000)
  private let ports = ListeningPorts()
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let key: VAPIDKey
  private let browsers: BrowserConnections

  init() throws {
    browsers = BrowserConnections(subscriptions: subscriptions, log: log)
    key = try VAPIDKey(PrivateKey(.p256))
    ports.listening(.webPush, on: 7_070)
  }

  private var responder: WebPushResponder {
    WebPushResponder(
      host: "localhost",
      subscriptions: subscriptions,
      browsers: browsers,
      faults: faults,
      log: log,
      ports: ports,
      clock: { [now] in now }
    )
  }

  private func subscribe(_ serverKey: String? = nil) throws -> WebPushSubscriptions.Subscription {
    try #require(try subscriptions.make(for: serverKey))
  }

  private func authorization(
    by key: VAPIDKey? = nil,
    origin: String = origin,
    subject: String = "mailto:a@example.com",
    expiry: Int = 3_600
  ) throws -> String {
    try (key ?? self.key).authorization(for: origin, subject: subject, expiry: 1_800_000_000 + expiry)
  }

  /// A push with these headers in place of its own; an empty one is left out.
  private func request(
    to subscription: WebPushSubscriptions.Subscription,
    _ changes: [String: String] = [:],
    text: String = #"{"web_push":8030,"notification":{"data":{"notificationId":"n-1"}}}"#,
    body: [UInt8]? = nil
  ) throws -> ReceivedRequest {
    var headers = [
      "authorization": try authorization(), "ttl": "60", "urgency": "high", "topic": "t",
      "content-encoding": "aes128gcm",
    ]
    headers.merge(changes) { $1 }
    let keys = try subscription.keys ?? .init(key: PrivateKey(.p256), secret: [UInt8](repeating: 7, count: 16))
    let encrypted = try PushMessageEncryption.encrypt(Array(text.utf8), for: keys.key.publicKey, secret: keys.secret)
    return ReceivedRequest(
      path: "/push/\(subscription.id)",
      headers: headers.filter { !$0.value.isEmpty }.map { (name: $0.key, value: $0.value) },
      body: body ?? encrypted
    )
  }

  private func status(_ request: ReceivedRequest) -> Int? {
    guard case .answer(let status, _, _, _, _) = responder.respond(to: request).0 else { return nil }
    return status
  }

  @Test func `an accepted push is decrypted, kept and counted`() throws {
    let subscription = try subscribe(key.publicText)
    guard case .answer(201, [], let location, nil, nil) = responder.respond(to: try request(to: subscription)).0 else {
      Issue.record("it is not accepted")
      return
    }
    #expect(location?.hasPrefix("\(Self.origin)/message/") == true)
    let push = try #require(log.records(after: 0, limit: 10) { _ in true }.first?.push)
    #expect(push.text.map { String(decoding: $0, as: UTF8.self) }?.hasPrefix(#"{"web_push":8030"#) == true)
    #expect((push.ttl, push.urgency, push.topic) == (60, "high", "t"))
    #expect(push.subject == "mailto:a@example.com" && push.notificationID == "n-1")
    #expect(!push.headers.contains { $0.name == "authorization" })
    let summary = log.summary()
    #expect(summary.accepted == 1 && summary.unreadable == 0 && summary.attempts == ["201": 1])
  }

  @Test func `a signature may name the address of this machine, at the same port alone`() throws {
    let subscription = try subscribe()
    for (origin, expected) in [("https://127.0.0.1:7070", 201), ("https://127.0.0.1:7071", 403)] {
      let authorization = try authorization(origin: origin)
      #expect(status(try request(to: subscription, ["authorization": authorization])) == expected, "\(origin)")
    }
  }

  @Test func `who has no good signature is refused`() throws {
    let subscription = try subscribe()
    let other = try VAPIDKey(PrivateKey(.p256))
    let mixed = try authorization().replacing("k=\(key.publicText)", with: "k=\(other.publicText)")
    for (authorization, expected) in [
      ("", 401), ("Bearer x", 401), ("vapid t=a.b.c, k=\(key.publicText)", 401), ("vapid k=\(key.publicText)", 401),
      ("vapid t=x, k=AAAA", 401), (mixed, 403), (try authorization(origin: "https://push.example"), 403),
      (try authorization(expiry: -61), 403), (try authorization(expiry: 86_461), 403),
      (try authorization(subject: "a@example.com"), 403), (try authorization(subject: "mailto:a@localhost"), 403),
      (try authorization(subject: "mailto:a b@example.com"), 403),
    ] {
      #expect(status(try request(to: subscription, ["authorization": authorization])) == expected, "\(authorization)")
    }
    #expect(status(try request(to: try subscribe(other.publicText))) == 403, "made with another key")
    #expect(log.summary().accepted == 0)
  }

  @Test(arguments: [
    (["ttl": ""], 400), (["ttl": "-1"], 400), (["ttl": "+1"], 400), (["ttl": "x"], 400), (["urgency": "urgent"], 400),
    (["topic": "a b"], 400), (["topic": String(repeating: "t", count: 33)], 400), (["content-encoding": "aesgcm"], 400),
    (["topic": String(repeating: "t", count: 32)], 201), (["topic": ""], 201), (["urgency": ""], 201),
    (["ttl": "0"], 201),
  ])
  func `headers are what RFC 8030 allows`(_ changes: [String: String], _ expected: Int) throws {
    #expect(status(try request(to: try subscribe(), changes)) == expected)
  }

  @Test func `4,096 bytes are taken and no more, and what the browser cannot read is told apart`() throws {
    let subscription = try subscribe()
    #expect(status(try request(to: subscription, body: [UInt8](repeating: 7, count: 4_096))) == 201)
    #expect(status(try request(to: subscription, body: [UInt8](repeating: 7, count: 4_097))) == 413)
    var tooLarge = try request(to: subscription)
    tooLarge.body = nil
    #expect(status(tooLarge) == 413)
    #expect(log.summary().unreadable == 1)
  }

  @Test func `a subscription that has ended is gone, and what never was is unknown`() throws {
    let subscription = try subscribe()
    #expect(subscriptions.end(subscription.id))
    #expect(status(try request(to: subscription)) == 410)
    #expect(!subscriptions.end("other"))
    for path in ["/push/other", "/push/", "/", "/push"] {
      #expect(status(ReceivedRequest(path: path, headers: [])) == 404)
    }
    #expect(status(ReceivedRequest(method: "GET", path: "/push/x", headers: [])) == 405)
  }

  @Test func `faults are made for one endpoint, with what each push service says`() throws {
    let (one, other) = (try subscribe(), try subscribe())
    func fail(_ effect: FaultEffect) throws -> (WebPushReply, Duration) {
      let match = Fault.Match(channel: .webpush, target: responder.endpoint(of: one.id))
      #expect(faults.add(match, effect, times: 1) != nil)
      #expect(status(try request(to: other)) == 201)
      return responder.respond(to: try request(to: one))
    }
    let quota = try fail(FaultEffect(kind: .quota, retryAfter: 9)).0
    #expect(quota.headers.contains { $0 == ("retry-after", "9") } && quota.name == "429")
    let windows = try fail(FaultEffect(kind: .status, status: 406, text: "channel throttled")).0
    #expect(windows.headers.contains { $0 == ("x-wns-error-description", "channel throttled") })
    #expect(try fail(FaultEffect(kind: .unregistered)).0.name == "410")
    #expect(try fail(FaultEffect(kind: .senderMismatch)).0.name == "403")
    #expect(try fail(FaultEffect(kind: .unauthenticated)).0.name == "401")
    #expect(try fail(FaultEffect(kind: .hang)).0 == .fault(.hang))
    let late = try fail(FaultEffect(kind: .latency, milliseconds: 250))
    #expect(late.0.name == "201" && late.1 == .milliseconds(250))
    let before = log.summary().accepted
    #expect(try fail(FaultEffect(kind: .unavailable, accepts: true)).0.name == "503")
    #expect(log.summary().accepted == before + 2, "taken although the answer says otherwise")
  }

  @Test func `who watches is told whose push was refused, which the push service itself cannot read`() async throws {
    let feed = ActivityFeed()
    let sightings = feed.sightings()
    let responder = WebPushResponder(
      host: "localhost",
      subscriptions: subscriptions,
      browsers: browsers,
      faults: faults,
      log: WebPushLog(maximumCount: 10, maximumBytes: 100_000, feed: feed),
      ports: ports,
      clock: { [now] in now }
    )
    let subscription = try subscribe()
    #expect(faults.add(Fault.Match(channel: .webpush), FaultEffect(kind: .unavailable), times: 1) != nil)
    _ = responder.respond(to: try request(to: subscription))
    _ = responder.respond(to: try request(to: subscription))
    #expect(subscriptions.end(subscription.id))
    _ = responder.respond(to: try request(to: subscription))
    var seen: [Sighting] = []
    for await sighting in sightings {
      seen.append(sighting)
      if seen.count == 3 { break }
    }
    #expect(seen.map(\.kind) == [.refused, .push, .refused])
    #expect(seen.map(\.status) == [503, nil, 410])
    let endpoint = "\(Self.origin)/push/\(subscription.id)"
    #expect(seen.allSatisfy { $0.notification == "n-1" && $0.target == endpoint })
  }

  @Test func `what is for a real browser is handed to it as it came, and told apart from what cannot be read`() throws {
    let said = Mutex<[JSONValue]>([])
    let link = BrowserConnections.Link(
      send: { bytes in if let message = try? JSONParser.parse(bytes) { said.withLock { $0.append(message) } } },
      close: {}
    )
    let channel = "7b2a0a3c-6f0e-4c1e-9d43-0c6f3a1b2c3d"
    for text in [
      #"{"messageType":"hello","use_webpush":true}"#,
      #"{"messageType":"register","channelID":"\#(channel)","key":"\#(key.publicText)"}"#,
    ] { browsers.receive(Array(text.utf8), on: link, now: 0, endpoint: responder.endpoint) }
    let endpoint = try #require(said.withLock { $0.last }?["pushEndpoint"]?.string)
    #expect(endpoint.hasPrefix("\(Self.origin)/push/"))
    let subscription = try #require(subscriptions[String(endpoint.dropFirst("\(Self.origin)/push/".count))])
    let pushed = try request(to: subscription)
    #expect(status(pushed) == 201)
    let handed = try #require(said.withLock { $0.last })
    #expect(handed["messageType"]?.string == "notification" && handed["channelID"]?.string == channel)
    #expect(handed["headers"]?["encoding"]?.string == "aes128gcm")
    #expect(handed["data"]?.string == Base64URL.encode(pushed.body ?? []))
    let record = try #require(log.records(after: 0, limit: 1) { _ in true }.first)
    #expect(handed["version"]?.string == record.id)
    #expect(record.push.isForBrowser && record.push.text == nil)
    #expect(record.shown.title == "Only the browser can read this push")
    #expect(log.summary().forBrowsers == 1 && log.summary().unreadable == 0)
    let other = try VAPIDKey(PrivateKey(.p256))
    #expect(status(try request(to: subscription, ["authorization": try authorization(by: other)])) == 403)
    #expect(said.withLock { $0.count } == 3, "nothing more was handed on")
  }

  @Test func `a subscription is made as a page asks for it`() throws {
    #expect(try WebPushControl.serverKey(Array("{}".utf8)) == nil)
    #expect(
      try WebPushControl.serverKey(Array(#"{"applicationServerKey":"\#(key.publicText)"}"#.utf8)) == key.publicText
    )
    for wrong in ["[]", "{", #"{"applicationServerKey":7}"#, #"{"applicationServerKey":"AAAA"}"#, #"{"key":"x"}"#] {
      #expect(throws: ControlError.self) { try WebPushControl.serverKey(Array(wrong.utf8)) }
    }
  }
}
