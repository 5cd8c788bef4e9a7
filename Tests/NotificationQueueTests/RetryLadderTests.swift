import Foundation
import NotificationQueue
import Settings
import Testing

@Suite struct RetryLadderTests {
  private let ladder = RetryLadder()

  @Test func `the standard ladder has seven rungs, each a queue of its own per channel`() {
    #expect(
      ladder.tiers.map { $0.queue(of: .push) } == [
        "belfry.push.retry.1s", "belfry.push.retry.10s", "belfry.push.retry.60s", "belfry.push.retry.600s",
        "belfry.push.retry.1800s", "belfry.push.retry.7200s", "belfry.push.retry.21600s",
      ]
    )
    #expect(ladder.tiers[0].queue(of: .email) == "belfry.email.retry.1s")
  }

  @Test func `a rung of part of a second says so in its name`() {
    #expect(RetryLadder(delays: [.milliseconds(250)]).tiers[0].queue(of: .push) == "belfry.push.retry.250ms")
    #expect(RetryLadder(delays: [.milliseconds(1_500)]).tiers[0].queue(of: .push) == "belfry.push.retry.1500ms")
  }

  @Test func `rungs are ascending whatever order they are given in, and no rungs mean the standard ones`() {
    #expect(RetryLadder(delays: [.seconds(9), .seconds(3)]).tiers.map(\.delay) == [.seconds(3), .seconds(9)])
    #expect(RetryLadder(delays: []).tiers == ladder.tiers)
  }

  @Test(
    arguments: [
      (0, 1), (1, 1), (2, 10), (10, 10), (11, 60), (60, 60), (61, 600), (601, 1_800), (1_800, 1_800),
      (1_801, 7_200), (7_201, 21_600), (86_400, 21_600),
    ]
  )
  func `a delay is served by the shortest rung that is long enough`(_ wanted: Int, _ got: Int) {
    #expect(ladder.tier(atLeast: .seconds(wanted)).delay == .seconds(got))
  }

  @Test(arguments: [(1, 10), (2, 60), (3, 600), (4, 1_800), (5, 7_200), (6, 21_600), (50, 21_600)])
  func `each failure goes a rung higher, up to the top`(_ attempt: Int, _ seconds: Int) {
    #expect(ladder.tier(afterAttempt: attempt, first: .seconds(10)).delay == .seconds(seconds))
  }

  @Test func `the first rung is at least as long as the channel asks`() {
    #expect(ladder.tier(afterAttempt: 1, first: .seconds(1)).delay == .seconds(1))
    #expect(ladder.tier(afterAttempt: 1, first: .seconds(5)).delay == .seconds(10))
    #expect(ladder.tier(afterAttempt: 1, first: .seconds(99_999)).delay == .seconds(21_600))
    #expect(ladder.tier(afterAttempt: 0, first: .seconds(10)).delay == .seconds(10))
  }

  @Test func `what the provider asks for lengthens a wait and never shortens it`() {
    func delay(_ retryAfter: Int) -> Duration {
      ladder.tier(afterAttempt: 2, first: .seconds(10), retryAfter: .seconds(retryAfter)).delay
    }
    #expect(delay(5) == .seconds(60))
    #expect(delay(60) == .seconds(60))
    #expect(delay(61) == .seconds(600))
    #expect(delay(7_200) == .seconds(7_200))
    #expect(delay(86_400) == .seconds(21_600))
  }

  @Test func `a wait of any length ends in a few steps, never early, and late by a quarter or five seconds at most`() {
    for wait in stride(from: 0.5, through: 43_200, by: 36.5) {
      var (passed, steps) = (0.0, 0)
      while passed < wait {
        passed += ladder.step(of: .seconds(wait - passed)).delay / .seconds(1)
        steps += 1
      }
      #expect(passed <= wait + max(wait / 4, 5) && steps <= 27, "\(wait) s: \(passed) s in \(steps) steps")
    }
    // Where all tiers are short, it is the next longer one.
    let short = RetryLadder(delays: [.milliseconds(200), .seconds(1), .seconds(3)])
    #expect(short.step(of: .milliseconds(1_100)).delay == .seconds(3))
    #expect(short.step(of: .seconds(60)).delay == .seconds(3))
  }

  @Test func `a wait that is longer than the last rung remembers its end, in whole seconds`() throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000.25)
    #expect(ladder.notBefore(.seconds(21_600), from: now) == nil)
    #expect(ladder.notBefore(.seconds(36_000), from: now) == Date(timeIntervalSince1970: 1_800_036_001))
    // Nothing is asked to wait beyond what is kept.
    let bound = try #require(ladder.notBefore(.seconds(Int64.max / 2), from: now))
    #expect(bound == Date(timeIntervalSince1970: 1_800_000_001 + 7 * 86_400))
    #expect(RetryLadder(delays: [.seconds(2)]).notBefore(.seconds(3), from: now) != nil)
  }

  @Test func `the ladder is read from the settings`() throws {
    let settings = Settings(variables: ["BELFRY_RETRY_TIERS": "50ms,2s"])
    #expect(RetryLadder(settings).tiers.map(\.delay) == [.milliseconds(50), .seconds(2)])
    try settings.validate()
  }
}
