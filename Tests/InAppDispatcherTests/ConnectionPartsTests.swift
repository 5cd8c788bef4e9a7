import NIOCore
import NIOEmbedded
import NotificationModel
import SignalRProtocol
import Testing

@testable import InAppDispatcher

/// The pure parts of connections, on made-up clocks.
@Suite struct ConnectionPartsTests {
  private func at(_ milliseconds: Int64) -> NIODeadline {
    .uptimeNanoseconds(1_000_000_000) + .milliseconds(milliseconds)
  }

  // MARK: Backlog

  @Test func `only what is written while the channel is blocked counts as backlog`() {
    var backlog = Backlog()
    #expect(backlog.add(1_000_000, limit: 10) == true)
    backlog.setBlocked(true, at: at(0))
    #expect(backlog.isBlocked)
    #expect(backlog.add(10, limit: 10) == true)
    #expect(backlog.add(1, limit: 10) == false)
    backlog.setBlocked(false, at: at(1))
    #expect(backlog.add(100, limit: 10) == true)
    backlog.setBlocked(true, at: at(2))
    #expect(backlog.add(10, limit: 10) == true)
  }

  @Test func `a channel that stays blocked is stuck`() {
    var backlog = Backlog()
    #expect(!backlog.isStuck(at: at(99_999), patience: .seconds(1)))
    backlog.setBlocked(true, at: at(0))
    #expect(!backlog.isStuck(at: at(999), patience: .seconds(1)))
    #expect(backlog.isStuck(at: at(1_000), patience: .seconds(1)))
    backlog.setBlocked(false, at: at(1_000))
    #expect(!backlog.isStuck(at: at(5_000), patience: .seconds(1)))
  }

  // MARK: Long polling

  private final class Request {}

  /// A poll whose answer is known when it was given.
  private func poll(_ poll: LongPoll, _ request: Request, at now: NIODeadline, on loop: EmbeddedEventLoop) -> Answer {
    let promise = loop.makePromise(of: LongPoll.Answer.self)
    let answer = Answer()
    promise.futureResult.assumeIsolated().whenSuccess { answer.value = $0 }
    poll.poll(promise, for: ObjectIdentifier(request), at: now)
    return answer
  }

  private final class Answer {
    var value: LongPoll.Answer?

    /// The bytes of a 200; nil for another answer or none.
    var text: String? {
      guard case .data(let data) = value else { return nil }
      return String(buffer: data)
    }

    var isEnded: Bool { if case .ended = value { true } else { false } }
  }

  @Test func `a poll waits for something to send`() {
    let (poll, loop, request) = (LongPoll(at: at(0)), EmbeddedEventLoop(), Request())
    #expect(self.poll(poll, request, at: at(0), on: loop).text == "")
    let waiting = self.poll(poll, request, at: at(1), on: loop)
    poll.flush(at: at(2))
    #expect(waiting.value == nil)
    poll.append(ByteBuffer(string: "a"))
    poll.append(ByteBuffer(string: "b"))
    #expect(poll.pendingBytes == 2)
    poll.flush(at: at(3))
    #expect(waiting.text == "ab")
    #expect(poll.pendingBytes == 0)
    poll.append(ByteBuffer(string: "c"))
    #expect(self.poll(poll, request, at: at(4), on: loop).text == "c")
  }

  @Test func `a poll ends by a newer one, by time, and with its client`() {
    let (poll, loop) = (LongPoll(at: at(0)), EmbeddedEventLoop())
    let (first, second) = (Request(), Request())
    _ = self.poll(poll, first, at: at(0), on: loop)
    let older = self.poll(poll, first, at: at(1), on: loop)
    let newer = self.poll(poll, second, at: at(2), on: loop)
    #expect(older.isEnded)
    poll.cancelPoll(for: ObjectIdentifier(first), at: at(3))
    #expect(newer.value == nil)
    #expect(!poll.tick(at: at(91), limit: .milliseconds(90), patience: .milliseconds(15)))
    #expect(newer.value == nil)
    #expect(!poll.tick(at: at(92), limit: .milliseconds(90), patience: .milliseconds(15)))
    #expect(newer.text == "")
    #expect(!poll.tick(at: at(106), limit: .milliseconds(90), patience: .milliseconds(15)))
    #expect(poll.tick(at: at(107), limit: .milliseconds(90), patience: .milliseconds(15)))
    let last = self.poll(poll, second, at: at(107), on: loop)
    poll.cancelPoll(for: ObjectIdentifier(second), at: at(108))
    #expect(last.isEnded)
    poll.append(ByteBuffer(string: "kept"))
    poll.flush(at: at(109))
    #expect(self.poll(poll, first, at: at(110), on: loop).text == "kept")
  }

  @Test func `a poll waits 90 s and for a poll 15 s, as with the original hub`() {
    let limits = HubLimits()
    let (limit, patience) = (TimeAmount(limits.pollTimeout), TimeAmount(limits.pollPatience))
    let (poll, loop, request) = (LongPoll(at: at(0)), EmbeddedEventLoop(), Request())
    _ = self.poll(poll, request, at: at(0), on: loop)
    let waiting = self.poll(poll, request, at: at(1_000), on: loop)
    #expect(!poll.tick(at: at(90_999), limit: limit, patience: patience))
    #expect(waiting.value == nil)
    #expect(!poll.tick(at: at(91_000), limit: limit, patience: patience))
    #expect(waiting.text == "")
    #expect(!poll.tick(at: at(105_999), limit: limit, patience: patience))
    #expect(poll.tick(at: at(106_000), limit: limit, patience: patience))
  }

  @Test func `the clocks of a connection are the original hub's`() {
    let timing = HubServerConfiguration().timing
    #expect(
      timing == HubTiming(handshakeTimeout: .seconds(15), pingInterval: .seconds(15), clientTimeout: .seconds(30))
    )
  }

  @Test func `an ended connection gives what is pending, then its end`() {
    let (poll, loop, request) = (LongPoll(at: at(0)), EmbeddedEventLoop(), Request())
    _ = self.poll(poll, request, at: at(0), on: loop)
    poll.append(ByteBuffer(string: "rest"))
    poll.end(at: at(1))
    #expect(!poll.isDone)
    #expect(self.poll(poll, request, at: at(2), on: loop).text == "rest")
    #expect(!poll.isDone)
    #expect(self.poll(poll, request, at: at(3), on: loop).isEnded)
    #expect(poll.isDone)
  }

  // MARK: Resume

  private func progress(after seq: Int, id: String? = "1", isStream: Bool = false) -> ResumeProgress {
    ResumeProgress(
      HubCall(id: id, target: "Resume", arguments: [], isStream: isStream),
      after: seq,
      insteadOf: nil
    )
  }

  private func page(_ seqs: [Int], seq: Int, hasMore: Bool = false) -> MissedNotifications {
    MissedNotifications(
      items: seqs.map { .init(seq: $0, payload: []) },
      changes: [],
      hasMore: hasMore,
      seq: seq,
      unread: 0
    )
  }

  @Test func `what is published during a read may be missing from its page`() {
    let resume = progress(after: 3)
    resume.holdBack(4)
    resume.beginReading()
    #expect(resume.isReading)
    #expect(!resume.endReading())
    resume.beginReading()
    resume.holdBack(5)
    #expect(resume.endReading())
    resume.beginReading()
    resume.noteUnread(ByteBuffer(string: "1"))
    resume.noteUnread(ByteBuffer(string: "2"))
    #expect(!resume.endReading())
    #expect(!resume.isReading)
    #expect(resume.takeLive().unread == ByteBuffer(string: "2"))
    #expect(resume.takeLive().unread == nil)
    // A page that is read afterwards knows better.
    resume.noteUnread(ByteBuffer(string: "3"))
    resume.beginReading()
    #expect(resume.takeLive().unread == nil)
  }

  @Test func `a Resume whose user is erased while it reads is done, and waits for nothing that is gone`() {
    let resume = progress(after: 0)
    _ = resume.takeReported(within: 200)
    _ = resume.take(page(Array(1...100), seq: 200, hasMore: true))
    #expect(resume.releaseCall()?.id == nil)
    resume.holdBack(201)
    resume.beginReading()
    #expect(!resume.endReading())
    _ = resume.take(page([], seq: 0))
    resume.reachEnd(at: 0)
    #expect(!resume.isBehind)
    #expect(resume.releaseCall()?.id == "1")
  }

  @Test func `what a client reports counts as far as the inbox reaches`() {
    let honest = progress(after: 3)
    #expect(honest.takeReported(within: 5) == 0...3)
    #expect(honest.takeReported(within: 5) == nil)
    #expect(honest.take(page([4, 5], seq: 5)).map(\.seq) == [4, 5])
    #expect(honest.lastSeq == 5)
    let bogus = progress(after: 1_000)
    bogus.holdBack(6)
    #expect(bogus.isBehind)
    #expect(bogus.takeReported(within: 5) == 0...5)
    #expect(bogus.lastSeq == 5)
    #expect(bogus.isBehind)
    #expect(bogus.take(page([6], seq: 6)).map(\.seq) == [6])
    #expect(!bogus.isBehind)
    #expect(ResumeProgress(fillingAfter: 7).takeReported(within: 9) == nil)
  }

  @Test func `failed reads are tried again for ten seconds, ever more slowly`() throws {
    let progress = progress(after: 0)
    var now = at(0)
    var pauses: [TimeAmount] = []
    while let pause = progress.pauseAfterFailure(at: now) {
      #expect(progress.isPaused)
      progress.endPause()
      pauses.append(pause)
      now = now + pause
    }
    #expect(!progress.isPaused)
    #expect(now >= at(10_000) && now < at(13_400))
    // 0.2, 0.4, 0.8, 1.6 and then 3.2 seconds, and up to 0.2 more each, so that not all clients come at once.
    for (pause, least) in zip(pauses, [200, 400, 800, 1_600, 3_200, 3_200, 3_200] as [Int64]) {
      #expect(pause >= .milliseconds(least) && pause < .milliseconds(least + 200))
    }
    #expect((6...7).contains(pauses.count))
    // A page that comes ends the count.
    _ = progress.take(page([1], seq: 1))
    let pause = try #require(progress.pauseAfterFailure(at: now))
    #expect(pause < .milliseconds(400))
  }

  @Test func `the manner is the caller's, and a cancelled stream still gives what was held back`() {
    #expect(progress(after: 0).manner == .result)
    #expect(progress(after: 0, id: nil).manner == .messages)
    #expect(progress(after: 0, isStream: true).manner == .stream)
    #expect(!progress(after: 0, isStream: true).cancelStream())
    let resume = progress(after: 0, isStream: true)
    resume.holdBack(9)
    resume.holdBack(7)
    #expect(resume.cancelStream())
    #expect(resume.manner == .messages)
    #expect(resume.take(page([5, 6, 7, 8], seq: 9)).map(\.seq) == [7, 8])
    #expect(resume.isBehind)
  }
}
