import BelfryClientTesting
import Foundation
import BelfryJSON
import Testing

@testable import BelfryClient

struct HubSessionTests {
  private let clock = TestClock()

  /// What a session reported, and why it ended.
  private final class Report: Sendable {
    let events = Locked<[HubSession.Event]>([])
    let end = Locked<BelfryError?>(nil)
  }

  private func run(_ channel: TestChannel) -> (HubSession, Report, Task<Void, Never>) {
    let session = HubSession(channel, clock: clock, timing: ClientTiming())
    let report = Report()
    let task = Task {
      let error = await session.run { event in report.events.withLock { $0.append(event) } }
      report.end.withLock { $0 = error }
    }
    return (session, report, task)
  }

  @Test func `it shakes hands, and hands on what is called`() async {
    let channel = TestChannel()
    let (_, report, task) = run(channel)
    channel.sayRaw("{}\u{1E}{\"type\":1,\"target\":\"Unread")
    channel.sayRaw("CountChanged\",\"arguments\":[3]}\u{1E}")
    channel.say(#"{"type":6}"#)
    channel.say("nonsense")
    channel.say(#"{"type":99}"#)
    #expect(await settles { report.events.withLock { $0.count } == 3 })
    #expect(
      report.events.withLock { $0 }
        == [.ready, .call(target: "UnreadCountChanged", arguments: [.number("3")]), .malformed]
    )
    #expect(channel.sent == [#"{"protocol":"json","version":1}"#])
    channel.say(#"{"type":7}"#)
    await task.value
    #expect(report.end.withLock { $0 }?.code == .unavailable)
    #expect(channel.isClosed)
  }

  @Test func `a hub that refuses the handshake says why`() async {
    let channel = TestChannel()
    let (_, report, task) = run(channel)
    channel.say(#"{"error":"no such protocol"}"#)
    await task.value
    #expect(report.end.withLock { $0 }?.detail == "no such protocol")
    #expect(report.events.withLock { $0 }.isEmpty)
  }

  @Test func `a hub that says nothing is given up`() async {
    let channel = TestChannel()
    let (_, report, task) = run(channel)
    #expect(await clock.advance(upTo: .seconds(40)) { report.end.withLock { $0 }?.code == .timeout })
    await task.value
  }

  /// Takes nothing, as a line that stands still.
  private final class StalledChannel: LiveChannel {
    let incoming: AsyncThrowingStream<String, any Error>
    private let (closed, closing) = AsyncStream<Void>.makeStream()

    init() {
      incoming = AsyncThrowingStream { _ in }
    }

    func send(_ text: String) async throws {
      // Detached, so that it does not notice a cancellation.
      let closed = closed
      await Task.detached { for await _ in closed {} }.value
      throw BelfryError(.unavailable)
    }

    func close() { closing.finish() }
  }

  @Test func `a line that takes nothing is given up`() async {
    let session = HubSession(StalledChannel(), clock: clock, timing: ClientTiming())
    let end = Locked<BelfryError?>(nil)
    let task = Task {
      let error = await session.run { _ in }
      end.withLock { $0 = error }
    }
    #expect(await clock.advance(upTo: .seconds(60)) { end.withLock { $0 }?.code == .timeout })
    if end.withLock({ $0 }) != nil { await task.value }
  }

  @Test func `it pings, and notices silence`() async {
    let channel = TestChannel()
    let (_, report, task) = run(channel)
    channel.say("{}")
    #expect(await settles { report.events.withLock { $0 } == [.ready] })
    #expect(await clock.advance(upTo: .seconds(20)) { channel.sent.last == #"{"type":6}"# })
    channel.say(#"{"type":6}"#)
    #expect(await clock.advance(upTo: .seconds(60)) { report.end.withLock { $0 }?.code == .timeout })
    await task.value
  }

  @Test func `what was missed comes as a stream`() async throws {
    let channel = TestChannel()
    let (session, report, task) = run(channel)
    channel.say("{}")
    #expect(await settles { report.events.withLock { $0 } == [.ready] })
    try await session.resume(after: 7)
    #expect(channel.sent.last == #"{"type":4,"invocationId":"1","target":"Resume","arguments":[7]}"#)
    channel.say(#"{"type":2,"invocationId":"1","item":{"seq":8}}"#)
    channel.say(#"{"type":2,"invocationId":"other","item":{"seq":9}}"#)
    channel.say(#"{"type":3,"invocationId":"1"}"#)
    #expect(await settles { report.events.withLock { $0.last } == .resumed(nil) })
    let missed = report.events.withLock { events in
      events.compactMap { event in
        if case .missed(let json) = event { json["seq"]?.integer } else { nil }
      }
    }
    #expect(missed == [8])
    channel.close()
    await task.value
  }

  @Test func `a message that does not end is given up`() async {
    let channel = TestChannel()
    let (_, report, task) = run(channel)
    channel.say("{}")
    let piece = String(repeating: "x", count: 1 << 16)
    for _ in 0..<17 { channel.sayRaw(piece) }
    await task.value
    #expect(report.end.withLock { $0 } != nil)
    #expect(channel.isClosed)
  }

  @Test func `it ends with its task`() async {
    let channel = TestChannel()
    let (_, report, task) = run(channel)
    channel.say("{}")
    #expect(await settles { report.events.withLock { $0 } == [.ready] })
    task.cancel()
    await task.value
    #expect(channel.isClosed)
  }
}
