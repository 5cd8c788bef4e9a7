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

  @Test func `a wait that is no rung's remembers its end, up to an eighth and a minute later`() throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000.25)
    for tier in ladder.tiers {
      let place = ladder.place(of: tier.delay, from: now)
      #expect(place.tier == tier && place.notBefore == nil)
    }
    for wait in stride(from: 12.5, through: 86_400, by: 36.5) {
      let (tier, end) = ladder.place(of: .seconds(wait), from: now)
      let passed = end?.timeIntervalSince(now) ?? tier.delay / .seconds(1)
      #expect(passed >= wait && passed <= wait + max(wait / 4, 5), "\(wait)")
      if end != nil { #expect(tier.delay < .seconds(wait) && passed <= wait + max(1, min(wait / 8, 60)), "\(wait)") }
    }
    // It is not the rung of ten minutes.
    let minute = ladder.place(of: .seconds(61), from: now)
    #expect(minute.tier.delay == .seconds(60) && minute.notBefore == Date(timeIntervalSince1970: 1_800_000_062))
    // What of a message is tried within some seconds comes back in one piece or two, not in a hundred.
    let ends = Set((0..<100).map { ladder.place(of: .seconds(300), from: now + Double($0) / 10).notBefore })
    #expect(ends.count <= 2)
    // Nothing is asked to wait beyond what is kept.
    let bound = try #require(ladder.place(of: .seconds(Int64.max / 2), from: now).notBefore)
    #expect(bound.timeIntervalSince(now) <= 7 * 86_400 + 60)
    #expect(RetryLadder(delays: [.seconds(2)]).place(of: .seconds(3), from: now).notBefore != nil)
  }

  @Test func `the ladder is read from the settings`() throws {
    let settings = Settings(variables: ["BELFRY_RETRY_TIERS": "50ms,2s"])
    #expect(RetryLadder(settings).tiers.map(\.delay) == [.milliseconds(50), .seconds(2)])
    try settings.validate()
  }
}
