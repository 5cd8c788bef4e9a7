import Foundation
import Testing

@testable import BelfryClient

struct LiveConnectionTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func connection(random: Double = 0.999) -> LiveConnection {
    LiveConnection(timing: ClientTiming(), jitter: Jitter { random })
  }

  private func connected() -> LiveConnection {
    var connection = connection()
    _ = connection.start(now: now)
    _ = connection.begin(connection.attempt)
    _ = connection.opened(connection.attempt, now: now)
    return connection
  }

  private func wait(_ step: LiveConnection.Step?, from now: Date) -> Double? {
    guard case .attempt(let date) = step else { return nil }
    return date.timeIntervalSince(now)
  }

  @Test func `it goes from disconnected to connected, and back by way of reconnecting`() {
    var connection = connection()
    #expect(connection.state == .disconnected)
    #expect(connection.start(now: now) == .attempt(at: now))
    #expect(connection.state == .connecting)
    let attempt = connection.attempt
    let isBegun = connection.begin(attempt)
    let isOpened = connection.opened(attempt, now: now)
    #expect(isBegun && isOpened)
    #expect(connection.state == .connected)
    #expect(connection.failed(connection.attempt, BelfryError(.timeout), now: now) != nil)
    #expect(connection.state == .reconnecting)
    #expect(connection.stop(now: now) == .drop)
    #expect(connection.state == .disconnected)
  }

  @Test func `pauses double up to half a minute, grow long after ten attempts, and never end`() {
    var connection = connection()
    _ = connection.start(now: now)
    var pauses: [Double] = []
    for _ in 0..<1_000 {
      _ = connection.begin(connection.attempt)
      let step = connection.failed(connection.attempt, BelfryError(.unavailable), now: now)
      pauses.append(wait(step, from: now) ?? -1)
    }
    for (pause, longest) in zip(pauses, [1.0, 2, 4, 8, 16, 30, 30, 30, 30, 30]) {
      #expect(pause <= longest)
      #expect(pause > longest * 0.99)
    }
    #expect(pauses[10...].allSatisfy { $0 >= 150 && $0 <= 300 })
  }

  @Test func `a random part of the pause is waited`() {
    var connection = connection(random: 0)
    _ = connection.start(now: now)
    let later = now.addingTimeInterval(100)
    #expect(wait(connection.failed(connection.attempt, BelfryError(.unavailable), now: later), from: later) == 0)
  }

  @Test func `attempts are counted anew once a connection was steady`() {
    var connection = connection()
    _ = connection.start(now: now)
    for _ in 0..<8 { _ = connection.failed(connection.attempt, BelfryError(.unavailable), now: now) }
    _ = connection.begin(connection.attempt)
    _ = connection.opened(connection.attempt, now: now)
    let soon = now.addingTimeInterval(5)
    var other = connection
    #expect(wait(other.failed(other.attempt, BelfryError(.timeout), now: soon), from: soon) ?? 0 > 20)
    let later = now.addingTimeInterval(31)
    #expect(wait(connection.failed(connection.attempt, BelfryError(.timeout), now: later), from: later) ?? 9 <= 1)
  }

  @Test func `behind it lets go, in front it is there at once`() {
    var connection = connected()
    #expect(connection.rest(now: now) == .drop)
    #expect(connection.state == .paused)
    let later = now.addingTimeInterval(3_600)
    #expect(connection.hurry(now: later) == .attempt(at: later))
    #expect(connection.state == .reconnecting)
  }

  @Test func `in front a pause is cut short, but for who was told to wait`() {
    var connection = connection()
    _ = connection.start(now: now)
    for _ in 0..<20 { _ = connection.failed(connection.attempt, BelfryError(.unavailable), now: now) }
    let later = now.addingTimeInterval(10)
    #expect(connection.hurry(now: later) == .attempt(at: later))
    // Not again within a second.
    #expect(connection.hurry(now: later) == .attempt(at: later.addingTimeInterval(1)))
    let error = BelfryError(.rateLimited, status: 429, retryAfter: .seconds(60))
    _ = connection.failed(connection.attempt, error, now: later)
    #expect(wait(connection.hurry(now: later), from: later) ?? 0 >= 60)
  }

  @Test func `a clock that was set back makes nobody wait`() {
    var connection = connection()
    _ = connection.start(now: now)
    let error = BelfryError(.rateLimited, status: 429, retryAfter: .seconds(300))
    _ = connection.failed(connection.attempt, error, now: now)
    let yesterday = now.addingTimeInterval(-86_400)
    #expect(connection.hurry(now: yesterday) == .attempt(at: yesterday))
    #expect(
      wait(connection.failed(connection.attempt, BelfryError(.timeout), now: yesterday), from: yesterday) ?? 9 <= 2
    )
  }

  @Test func `a refused user stops it until somebody tries again`() {
    var connection = connected()
    #expect(connection.failed(connection.attempt, BelfryError(.unauthorized, status: 401), now: now) == .drop)
    #expect(connection.state == .unauthorized)
    let later = now.addingTimeInterval(100)
    #expect(connection.hurry(now: later) == .drop)
    #expect(connection.state == .unauthorized)
    #expect(connection.retry(now: later) == .attempt(at: later))
  }

  @Test func `a paused one is not started by coming in front`() {
    var connection = connected()
    #expect(connection.setPaused(true, now: now) == .drop)
    #expect(connection.hurry(now: now) == .drop)
    #expect(connection.state == .paused)
    let later = now.addingTimeInterval(2)
    #expect(connection.setPaused(false, now: later) == .attempt(at: later))
  }

  @Test func `an attempt that was given up changes nothing`() {
    var connection = connection()
    _ = connection.start(now: now)
    let old = connection.attempt
    _ = connection.stop(now: now)
    _ = connection.start(now: now.addingTimeInterval(2))
    let isBegun = connection.begin(old)
    let isOpened = connection.opened(old, now: now)
    #expect(!isBegun && !isOpened)
    #expect(connection.failed(old, BelfryError(.timeout), now: now) == nil)
    #expect(connection.state == .connecting)
  }
}
