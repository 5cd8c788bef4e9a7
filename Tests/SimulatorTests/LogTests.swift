import BelfryJSON
import Testing

@testable import Simulator

struct LogTests {
  private struct Line: LogRecord, Equatable {
    let sequence: Int
    var byteCount = 10
  }

  private func log(_ count: Int, maximumCount: Int = 1_000, maximumBytes: Int = 1_000_000) -> BoundedLog<Line> {
    var log = BoundedLog<Line>(maximumCount: maximumCount, maximumBytes: maximumBytes)
    for sequence in stride(from: 1, through: count, by: 1) { log.append(Line(sequence: sequence)) }
    return log
  }

  private func sequences(_ log: BoundedLog<Line>, after: Int = 0, limit: Int = 1_000) -> [Int] {
    log.records(after: after, limit: limit) { _ in true }.map(\.sequence)
  }

  @Test func `the oldest records give way and are counted`() {
    let log = log(250, maximumCount: 100)
    #expect(sequences(log) == Array(151...250))
    #expect(log.dropped == 150)
    #expect(log.count == 100)
  }

  @Test func `bytes are bounded as well`() {
    let log = log(100, maximumBytes: 55)
    #expect(sequences(log) == Array(96...100))
    #expect(log.dropped == 95)
  }

  @Test func `paging goes on after a sequence`() {
    let log = log(250, maximumCount: 100)
    #expect(sequences(log, after: 160, limit: 3) == [161, 162, 163])
    #expect(sequences(log, after: 10, limit: 2) == [151, 152])
    #expect(sequences(log, after: 250) == [])
    #expect(log.records(after: 0, limit: 2) { $0.sequence % 100 == 0 }.map(\.sequence) == [200])
  }

  @Test func `a cleared log starts anew`() {
    var log = log(250, maximumCount: 100)
    log.removeAll()
    #expect(sequences(log) == [])
    #expect(log.dropped == 0)
    log.append(Line(sequence: 251))
    #expect(sequences(log) == [251])
  }

  @Test func `duplicates with another fingerprint are told apart`() {
    var tracker = DuplicateTracker()
    tracker.record(("n1", "t1"), fingerprint: "c1")
    tracker.record(("n1", "t2"), fingerprint: "c1")
    tracker.record(("n1", "t1"), fingerprint: "c1")
    tracker.record(("n1", "t1"), fingerprint: "c2")
    #expect(tracker.distinct == 2)
    #expect(tracker.duplicates == 2)
    #expect(tracker.differing == 1)
  }

  @Test func `a duplicate without a collapse id counts as differing`() {
    var tracker = DuplicateTracker()
    tracker.record(("n1", "t1"), fingerprint: nil)
    tracker.record(("n1", "t1"), fingerprint: nil)
    #expect(tracker.differing == 1)
  }

  @Test func `pushes are kept with their JSON and counted`() throws {
    let log = PushLog(maximumCount: 10, maximumBytes: 100_000)
    let body = Array(
      #"{"message": {"token": "t", "data": {"notificationId": "n"}, "android": {"collapse_key": "c"}}}"#.utf8
    )
    let message = try FCMValidator.validate(body)
    let first = log.accept(message, json: Array(body[message.range]))
    let second = log.accept(message, json: Array(body[message.range]))
    log.count("200")
    #expect(first != second)
    let summary = log.summary()
    #expect(summary.accepted == 2)
    #expect(summary.distinct == 1)
    #expect(summary.duplicates == 1)
    #expect(summary.differing == 0)
    #expect(summary.attempts == ["200": 1])
    let kept = try #require(log.records(after: 1, limit: 10) { _ in true }.first)
    #expect(kept.json.first == UInt8(ascii: "{"))
    #expect(try JSONParser.parse(kept.json)["token"] == .string("t"))
    log.removeAll()
    #expect(log.summary().accepted == 0)
  }
}
