import DevelopmentControl
import Foundation
import JSON
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
