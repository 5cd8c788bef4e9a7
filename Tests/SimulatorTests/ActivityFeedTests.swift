import Cryptography
import DevelopmentControl
import Foundation
import BelfryJSON
import Testing

@testable import Simulator

/// What watchers are sent.
@Suite(.timeLimit(.minutes(1))) struct ActivityFeedTests {
  private func first(_ count: Int, of subscription: ActivityFeed.Subscription) async -> [String] {
    var events: [String] = []
    for await event in subscription.events {
      events.append(String(decoding: event, as: UTF8.self))
      if events.count == count { break }
    }
    return events
  }

  @Test func `every reader is notified, in order`() async throws {
    let feed = ActivityFeed()
    let readers = [try #require(feed.subscribe()), try #require(feed.subscribe())]
    for number in 1...3 { feed.relay(DevelopmentEvent(kind: .state, key: "", data: "\(number)")) }
    for reader in readers {
      #expect(await first(3, of: reader) == (1...3).map { "event: state\ndata: \($0)\n\n" })
    }
  }

  @Test func `there are so many readers and no more, until one goes`() throws {
    let feed = ActivityFeed()
    var readers = (0..<ActivityFeed.maximumSubscribers).compactMap { _ in feed.subscribe() }
    #expect(readers.count == ActivityFeed.maximumSubscribers)
    #expect(feed.subscribe() == nil)
    readers.removeLast()
    #expect(feed.subscribe() != nil)
  }

  @Test func `a reader that lags is let go, and others are not`() async throws {
    let feed = ActivityFeed()
    let slow = try #require(feed.subscribe())
    for _ in 0...ActivityFeed.maximumLag { feed.relay(DevelopmentEvent(kind: .state, key: "", data: "{}")) }
    let fresh = try #require(feed.subscribe())
    feed.relay(DevelopmentEvent(kind: .state, key: "", data: "1"))
    var count = 0
    for await _ in slow.events { count += 1 }
    #expect(count == ActivityFeed.maximumLag, "its stream ended")
    #expect(await first(1, of: fresh) == ["event: state\ndata: 1\n\n"])
  }

  @Test func `those who come later get what was published last`() {
    let feed = ActivityFeed()
    feed.link(isConnected: true)
    for number in 1...3 { feed.relay(DevelopmentEvent(kind: .switch, key: "a", data: "\(number)")) }
    for number in 0..<100 { feed.relay(DevelopmentEvent(kind: .trace, key: "\(number)", data: "{}")) }
    feed.relay(DevelopmentEvent(kind: .trace, key: "60", data: "again"))
    let latest = feed.latest()
    #expect(latest.isConnected)
    #expect(latest.events.filter { $0.kind == .switch }.map(\.data) == ["3"])
    let traces = latest.events.filter { $0.kind == .trace }
    #expect(traces.map(\.key) == (50..<100).filter { $0 != 60 }.map(String.init) + ["60"])
    #expect(traces.last?.data == "again")
    feed.link(isConnected: false)
    #expect(!feed.latest().isConnected)
  }

  @Test func `a push of data alone is shown with the texts of its data, and a repetition takes its place`() async throws
  {
    let feed = ActivityFeed()
    let pushes = PushLog(maximumCount: 10, maximumBytes: 100_000, feed: feed)
    let reader = try #require(feed.subscribe())
    let json = Array(#"{"fid":"f","data":{"title":"Hello","body":"there","tag":"n","notificationId":"n"}}"#.utf8)
    let message = try FCMValidator.validate(Array(#"{"message":"#.utf8) + json + Array("}".utf8))
    for _ in 0..<2 { _ = pushes.accept(message, json: json) }
    let events = await first(2, of: reader)
    let shown = try JSONParser.parse(Array(events[0].split(separator: "data: ")[1].utf8.dropLast(2)))
    #expect(shown["title"]?.string == "Hello")
    #expect(shown["body"]?.string == "there")
    #expect(shown["collapseId"]?.string == "n")
    #expect(pushes.summary().duplicates == 1 && pushes.summary().differing == 0)
  }

  /// The document that an event carries.
  private func document(_ event: String) throws -> JSONValue {
    try JSONParser.parse(Array(event.split(separator: "data: ")[1].utf8.dropLast(2)))
  }

  @Test func `what APNs takes is shown as the iPhone shows it, and what it refuses is reported with its reason`()
    async throws
  {
    let feed = ActivityFeed()
    let log = APNsLog(maximumCount: 10, maximumBytes: 100_000, feed: feed)
    let reader = try #require(feed.subscribe())
    let sightings = feed.sightings()
    let body =
      #"{"aps":{"alert":{"title":"Hello","body":"there"},"interruption-level":"time-sensitive"},"type":"10","notificationId":"n"}"#
    let headers = [(name: "apns-topic", value: APNsAccount.topic), (name: "apns-collapse-id", value: "n")]
    let push = try APNsPush(ReceivedRequest(path: "/3/device/0a0b", headers: headers, body: Array(body.utf8)))
    for _ in 0..<2 { log.accept(push, id: "id", environment: .production) }
    log.refuse(push, .refusal(.serviceUnavailable, id: "id"))
    log.refuse(push, .goodbye(reason: "Shutdown"))
    log.removeAll()
    let events = await first(5, of: reader)
    #expect(events.last == "event: cleared\ndata: {}\n\n")
    let shown = try events.prefix(4).map(document)
    #expect(shown.allSatisfy { $0["provider"]?.string == "apns" && $0["token"]?.string == "0a0b" })
    #expect(shown[0]["title"]?.string == "Hello" && shown[0]["body"]?.string == "there")
    #expect(shown[0]["type"]?.integer == 10 && shown[0]["urgent"]?.boolean == true)
    #expect(shown[0]["collapseId"]?.string == "n" && shown[0]["notificationId"]?.string == "n")
    #expect(shown.map { $0["again"]?.boolean } == [false, true, nil, nil])
    #expect(shown[2]["words"]?.string == "503 ServiceUnavailable" && shown[2]["status"]?.integer == 503)
    #expect(shown[3]["words"]?.string == "no answer (goaway)" && shown[3]["status"] == nil)
    var seen: [Sighting] = []
    for await sighting in sightings {
      seen.append(sighting)
      if seen.count == 4 { break }
    }
    #expect(seen.map(\.kind) == [.push, .push, .refused, .refused])
    #expect(seen.map(\.status) == [nil, nil, 503, nil])
    #expect(seen.allSatisfy { $0.notification == "n" && $0.target == "0a0b" && !$0.isSeenTwice })
  }

  @Test func `what a browser gets is shown as the browser reads it`() async throws {
    let feed = ActivityFeed()
    let log = WebPushLog(maximumCount: 10, maximumBytes: 100_000, feed: feed)
    let reader = try #require(feed.subscribe())
    let subscription = try #require(try WebPushSubscriptions().make(for: nil))
    let text =
      #"{"web_push":8030,"notification":{"title":"Hello","body":"there","data":{"type":"10","notificationId":"n"}}}"#
    func push(_ body: [UInt8]) throws -> WebPush {
      let headers = [
        (name: "ttl", value: "60"), (name: "topic", value: "t"), (name: "content-encoding", value: "aes128gcm"),
      ]
      return try WebPush(
        ReceivedRequest(path: "", headers: headers, body: body),
        to: subscription,
        from: "mailto:a@b.c"
      )
    }
    let keys = try #require(subscription.keys)
    let readable = try PushMessageEncryption.encrypt(Array(text.utf8), for: keys.key.publicKey, secret: keys.secret)
    log.accept(try push(readable), id: "a", endpoint: "https://localhost:1/push/e")
    log.accept(try push([1, 2, 3]), id: "b", endpoint: "https://localhost:1/push/e")
    let shown = try await first(2, of: reader).map(document)
    #expect(shown.allSatisfy { $0["provider"]?.string == "webPush" })
    #expect(shown.allSatisfy { $0["token"]?.string == "https://localhost:1/push/e" })
    #expect(shown[0]["title"]?.string == "Hello" && shown[0]["body"]?.string == "there")
    #expect(shown[0]["type"]?.integer == 10 && shown[0]["notificationId"]?.string == "n")
    #expect(shown[1]["notificationId"]?.string == nil && shown[1]["title"]?.string?.contains("updated") == true)
  }

  @Test func `a reader begins with the latest of all providers, in the order of their arrival`() throws {
    let pushes = PushLog(maximumCount: 10, maximumBytes: 100_000)
    let apns = APNsLog(maximumCount: 10, maximumBytes: 100_000)
    let browsers = WebPushLog(maximumCount: 10, maximumBytes: 100_000)
    let controller = ActivityController(
      feed: ActivityFeed(),
      pushes: pushes,
      apns: apns,
      browsers: browsers,
      mails: MailLog(maximumCount: 10, maximumBytes: 100_000)
    )
    let headers = [(name: "apns-topic", value: APNsAccount.topic)]
    let native = try APNsPush(
      ReceivedRequest(path: "/3/device/0a", headers: headers, body: Array(#"{"aps":{"alert":"Hello"}}"#.utf8))
    )
    let json = Array(#"{"token":"t","notification":{"title":"Hello"}}"#.utf8)
    let message = try FCMValidator.validate(Array(#"{"message":"#.utf8) + json + Array("}".utf8))
    for _ in 0..<3 {
      apns.accept(native, id: "id", environment: .production)
      _ = pushes.accept(message, json: json)
    }
    let snapshot = try document(String(decoding: controller.snapshot().bytes, as: UTF8.self))
    let shown = try #require(snapshot["pushes"]?.array)
    #expect(shown.count == 6)
    #expect(shown.filter { $0["provider"]?.string == "apns" }.map { $0["sequence"]?.integer } == [1, 2, 3])
    #expect(shown.filter { $0["provider"]?.string == "fcm" }.map { $0["sequence"]?.integer } == [1, 2, 3])
    let times = shown.compactMap { $0["at"]?.string }
    #expect(times == times.sorted())
    #expect(shown.first { $0["provider"]?.string == "apns" }?["body"]?.string == "Hello", "an alert of a text alone")
  }

  @Test func `what arrives is reported to the page and to the witness`() async throws {
    let feed = ActivityFeed()
    let pushes = PushLog(maximumCount: 10, maximumBytes: 100_000, feed: feed)
    let reader = try #require(feed.subscribe())
    let sightings = feed.sightings()
    let json = Array(
      #"{"token":"t","notification":{"title":"Hello","body":"there"},"data":{"type":"10","notificationId":"n"},"apns":{"headers":{"apns-collapse-id":"n"},"payload":{"aps":{"interruption-level":"time-sensitive"}}}}"#
        .utf8
    )
    let message = try FCMValidator.validate(Array(#"{"message":"#.utf8) + json + Array("}".utf8))
    _ = pushes.accept(message, json: json)
    _ = pushes.accept(message, json: json)
    pushes.refuse(message, FaultEffect(kind: .unavailable))
    pushes.removeAll()
    let events = await first(4, of: reader)
    #expect(
      events.map { $0.prefix { $0 != "\n" } } == ["event: push", "event: push", "event: refused", "event: cleared"]
    )
    let latest = try events.prefix(3).map { event in
      try JSONParser.parse(Array(event.split(separator: "data: ")[1].utf8.dropLast(2)))
    }
    #expect(latest.map { $0["again"]?.boolean } == [false, true, nil])
    #expect(latest[0]["title"]?.string == "Hello")
    #expect(latest[0]["type"]?.integer == 10)
    #expect(latest[0]["urgent"]?.boolean == true)
    #expect(latest[0]["collapseId"]?.string == "n")
    #expect(latest[2]["words"]?.string == "503 UNAVAILABLE")
    var seen: [Sighting] = []
    for await sighting in sightings {
      seen.append(sighting)
      if seen.count == 3 { break }
    }
    #expect(seen.map(\.kind) == [.push, .push, .refused])
    #expect(seen.map(\.isSeenTwice) == [false, false, false], "the second takes the place of the first")
    #expect(seen.map(\.status) == [nil, nil, 503])
    #expect(seen.allSatisfy { $0.notification == "n" && $0.target == "t" })
  }
}
