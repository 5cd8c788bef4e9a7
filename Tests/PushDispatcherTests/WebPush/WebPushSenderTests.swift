import Cryptography
import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import PushDispatcher
@testable import Transport

/// What is done with each answer, over a scripted push service.
@Suite struct WebPushSenderTests {
  private let service = ScriptedPushService()
  private let keys: [VAPIDKey]
  private let browser: Browser

  init() throws {
    keys = [try VAPIDKey(PrivateKey(.p256)), try VAPIDKey(PrivateKey(.p256))]
    browser = try Browser()
  }

  private func sender(receipts: ReceiptKeys = .none) -> WebPushSender {
    WebPushSender(
      concurrency: 1,
      hosts: .standard,
      appearance: WebAppearance(link: "https://shop.example"),
      receipts: receipts,
      client: service,
      signatures: VAPIDSignatures(keys: keys, subject: "mailto:a@example.com"),
      logger: .quiet
    )
  }

  private func push(_ sender: WebPushSender, key: Int? = 0, user: UserID = UserID(UUID())) async throws
    -> DeliveryResult
  {
    await sender.push(browser.targeted(try Browser.content(), vapidKey: key.map { keys[$0].id }, user: user))
  }

  private func authorization(_ request: HTTPRequest) -> String? {
    request.headers.first { $0.name == "Authorization" }?.value
  }

  @Test func `a push goes to the endpoint, signed by the subscription's key, and the browser alone reads it`()
    async throws
  {
    let sender = sender()
    for key in [0, 1] {
      #expect(try await push(sender, key: key) == .delivered(providerID: "https://push.example/m/1"))
      let request = try #require(service.requests.last)
      #expect(request.method == "POST" && request.url == Browser.endpoint)
      #expect(authorization(request)?.hasSuffix("k=\(keys[key].publicText)") == true)
      #expect(request.ownHeaders.map(\.name) == ["TTL", "Topic"])
      #expect(try browser.read(request.body).hasPrefix(#"{"web_push":8030,"#))
    }
    #expect(service.requests[0].body != service.requests[1].body)
  }

  @Test func `however its host is written, a push service is asked by one name`() async throws {
    let endpoint = "https://Updates.Push.services.mozilla.COM.:443/wpush/v2/Abc?d=@E"
    let targeted = browser.targeted(try Browser.content(), endpoint: endpoint)
    #expect(await sender().push(targeted) == .delivered(providerID: "https://push.example/m/1"))
    #expect(service.requests.map(\.url) == ["https://updates.push.services.mozilla.com/wpush/v2/Abc?d=@E"])
    let name = "webpush:updates.push.services.mozilla.com"
    #expect(sender().scope(of: targeted) == ProviderScope(name, share: "webpush:push.services.mozilla.com"))
  }

  @Test func `a push has a receipt that is the user's, the notification's and the device's`() async throws {
    let receipts = ReceiptKeys([String(repeating: "k", count: 32)])
    let targeted = browser.targeted(try Browser.content())
    #expect(await sender(receipts: receipts).push(targeted) == .delivered(providerID: "https://push.example/m/1"))
    let text = try browser.read(try #require(service.requests.first).body)
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let data = (document?["notification"] as? [String: Any])?["data"] as? [String: String]
    let receipt = try #require(receipts.receipt(data?["receipt"] ?? "", at: .now))
    #expect(receipt.user == targeted.delivery.userId)
    #expect(receipt.notification == targeted.delivery.notificationId)
    #expect(receipt.device.description == targeted.target.id)
  }

  // MARK: What is not sent

  @Test(arguments: [
    "https://push.example.net/1", "https://fcm.googleapis.com:8443/1", "http://fcm.googleapis.com/1", "token",
    "https://fcm.googleapis.com@127.0.0.1/1", "https://fcm.googleapis.com.example.net/1", "https://127.0.0.1/1",
  ])
  func `no endpoint but one of a known push service is asked, whatever is stored`(_ endpoint: String) async throws {
    let targeted = browser.targeted(try Browser.content(), endpoint: endpoint)
    #expect(await sender().push(targeted) == .rejected(reason: "no known push service", wasAsked: false))
    #expect(sender().scope(of: targeted) == ProviderScope("webpush"))
    #expect(service.requests.isEmpty)
  }

  @Test func `a scope is a push service's host, and all hosts of the service have one share of the permits`() throws {
    let targeted = browser.targeted(try Browser.content())
    let name = "webpush:updates.push.services.mozilla.com"
    #expect(sender().scope(of: targeted) == ProviderScope(name, share: "webpush:push.services.mozilla.com"))
    let windows = try ["wns2-by3p", "wns2-am3p"].map { host in
      sender().scope(of: browser.targeted(try Browser.content(), endpoint: "https://\(host).notify.windows.com/w/1"))
    }
    #expect(Set(windows).count == 2)
    #expect(Set(windows.map(\.share)) == ["webpush:notify.windows.com"])
  }

  @Test(arguments: [
    SubscriptionKeys(p256dh: "", auth: ""),
    SubscriptionKeys(
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "AAAA"
    ),
    // No point of the curve.
    SubscriptionKeys(
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw8",
      auth: "BTBZMqHH6r4Tts7J_aSIgg"
    ),
  ])
  func `a subscription that nothing can be encrypted for is given up`(_ keys: SubscriptionKeys) async throws {
    let targeted = browser.targeted(try Browser.content(), keys: keys)
    #expect(await sender().push(targeted) == .rejected(reason: "bad keys", forgetsTarget: true, wasAsked: false))
    #expect(service.requests.isEmpty)
  }

  @Test func `a subscription with a key that there is not is refused by name, and kept`() async throws {
    let targeted = browser.targeted(try Browser.content(), vapidKey: "other")
    #expect(await sender().push(targeted) == .rejected(reason: "no VAPID key other", wasAsked: false))
    #expect(service.requests.isEmpty)
  }

  // MARK: Answers

  @Test(arguments: [404, 410]) func `a subscription that is gone is given up`(_ status: Int) async throws {
    service.say(status)
    #expect(try await push(sender()) == .rejected(reason: "HTTP \(status)", forgetsTarget: true))
  }

  @Test func `where nobody knows with which key a subscription was made, the other one is tried`() async throws {
    service.say(.init(status: 403), .init(status: 201))
    #expect(try await push(sender(), key: nil) == .delivered(providerID: nil))
    #expect(service.requests.map(authorization).map { $0?.hasSuffix(keys[0].publicText) } == [true, false])
    #expect(try await push(sender()) == .delivered(providerID: nil))
    #expect(service.requests.count == 3)
  }

  @Test func `a push that is too large is sent again, shorter, and noted`() async throws {
    service.say(.init(status: 413), .init(status: 201))
    let targeted = browser.targeted(try Browser.content(body: String(repeating: "x", count: 3_500)))
    guard case .delivered(nil, let note) = await sender().push(targeted) else {
      Issue.record("it is not delivered")
      return
    }
    #expect(note?.hasPrefix("body shortened to fit ") == true)
    let sizes = service.requests.map(\.body.count)
    #expect(sizes.count == 2 && sizes[0] > 3_500 && sizes[1] <= 2_744)
  }

  @Test func `a small push that is too large all the same is final, and not sent twice`() async throws {
    service.say(413)
    #expect(try await push(sender()) == .rejected(reason: "HTTP 413"))
    #expect(service.requests.count == 1)
  }

  @Test func `what is about us is kept and tried again, and stops the push service once it is about several`()
    async throws
  {
    service.say(403, "", #"{"reason":"BadJwtToken"}"#)
    let sender = sender()
    let reason = "HTTP 403: BadJwtToken"
    for _ in 0..<2 { #expect(try await push(sender) == .retry(reason: reason, first: .seconds(60))) }
    #expect(try await push(sender) == .postponed(reason: reason, after: .seconds(60)))
    #expect(sender.records.problem == nil, "users can have brought it about")
    guard case .postponed(reason, _) = try await push(sender) else {
      Issue.record("it is not postponed")
      return
    }
    #expect(service.requests.count == 3, "the last was not tried")
    // Another push service is none the worse.
    service.say(201)
    let other = browser.targeted(try Browser.content(), endpoint: "https://fcm.googleapis.com/fcm/send/1")
    #expect(await sender.push(other) == .delivered(providerID: nil))
  }

  @Test func `a subscription that was accepted before and is refused with all others is the operator's matter`()
    async throws
  {
    let sender = sender()
    let known = browser.targeted(try Browser.content(), vapidKey: keys[0].id)
    service.say(201)
    #expect(await sender.push(known) == .delivered(providerID: nil))
    service.say(403)
    for _ in 0..<9 { _ = try await push(sender, key: 1) }
    #expect(await sender.push(known) == .postponed(reason: "HTTP 403", after: .seconds(60)))
    #expect(sender.records.problem == "webPush updates.push.services.mozilla.com: HTTP 403")
  }

  @Test func `a refusal of another time says that the clock is wrong`() async throws {
    service.say(401, "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
    let sender = sender()
    for _ in 0..<3 { _ = try await push(sender) }
    #expect(sender.records.problem == "webPush updates.push.services.mozilla.com: HTTP 401")
  }

  @Test func `a long wait that some users meet does not hold up all others as long`() async throws {
    service.say(429, "Retry-After: 600000\r\n")
    let sender = sender()
    let asked = Duration.seconds(600_000)
    for _ in 0..<2 {
      #expect(try await push(sender) == .retry(reason: "HTTP 429", first: .seconds(60), after: asked))
    }
    #expect(try await push(sender) == .throttled(reason: "HTTP 429", until: asked, pause: .seconds(600)))
  }

  @Test func `where others are accepted, a refused subscription is final and kept`() async throws {
    service.say(.init(status: 201), .init(status: 401), .init(status: 201), .init(status: 401))
    let sender = sender()
    for _ in 0..<2 {
      #expect(try await push(sender) == .delivered(providerID: nil))
      #expect(try await push(sender) == .rejected(reason: "HTTP 401"))
    }
  }

  @Test(arguments: [429, 406]) func `too many to one is this one's, and to several everybody's`(_ status: Int)
    async throws
  {
    service.say(status, "Retry-After: 90\r\n")
    let sender = sender()
    let ann = UserID(UUID())
    let one = DeliveryResult.retry(reason: "HTTP \(status)", first: .seconds(60), after: .seconds(90))
    for _ in 0..<3 { #expect(try await push(sender, user: ann) == one) }
    #expect(try await push(sender) == one)
    #expect(try await push(sender) == .throttled(reason: "HTTP \(status)", until: .seconds(90), pause: .seconds(90)))
  }

  @Test func `trouble of the push service counts as its own`() async throws {
    service.say(503, "Retry-After: 120\r\n")
    #expect(
      try await push(sender())
        == .retry(reason: "HTTP 503", first: .seconds(60), after: .seconds(120), isProviderTrouble: true)
    )
    service.fail(TransportError(.timeout, isTransient: true, mayHaveBeenProcessed: true))
    #expect(
      try await push(sender())
        == .retry(reason: "transport: the request timed out", first: .seconds(10), isProviderTrouble: true)
    )
    service.fail(.cancelled)
    #expect(try await push(sender()) == .abandoned)
  }
}
