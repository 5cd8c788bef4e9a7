import Foundation
import NotificationModel
import Postgres
import Rules
import TestSupport
import Testing
import WallClock

@testable import NotificationStore
@testable import Router

/// States that nothing can be done about cost less and less.
@Suite struct DueBatchTests {
  private static let due = Date(timeIntervalSince1970: 1_800_000_000)
  private static let key = RuleStateKey(rule: "gone", user: UUID(), key: "")
  private static let waiting = #"{"v":1,"timer":[["once",1800000000000]]}"#

  private func next(_ state: String, at now: Date, isUnsettled: Bool = false) -> Date? {
    let due = RuleStore.Due(key: Self.key, state: state, isUnsettled: isUnsettled)
    let (changes, _) = DueBatch(rules: RuleSet(), now: now).decide([due], RulePeople([:], zone: .utc, settings: []))
    #expect(changes.states.isEmpty)
    #expect(changes.timers.isEmpty)
    return changes.deferred[Self.key]
  }

  @Test func `what no rule knows is looked at after a minute, then twice as late each time, then hourly`() throws {
    var (now, pauses) = (Self.due, [TimeInterval]())
    for _ in 0..<16 {
      let later = try #require(next(Self.waiting, at: now))
      pauses.append(later.timeIntervalSince(now))
      now = later
    }
    #expect(pauses.prefix(6) == [60, 60, 120, 240, 480, 960])
    #expect(pauses.suffix(3) == [3_600, 3_600, 3_600])
  }

  @Test(
    arguments: [
      // A later version's, as far as it says when it was due; one that does not; one that is not due yet.
      (#"{"v":99,"timer":[["once",1800000000000]]}"#, 960), (#"{"v":99,"timer":"later"}"#, 3_600), ("", 3_600),
      (#"{"v":1}"#, 3_600), (#"{"v":1,"timer":[["once",1900000000000]]}"#, 3_600),
    ] as [(String, TimeInterval)]
  )
  func `what cannot be read waits as long as what no rule knows`(_ state: String, _ pause: TimeInterval) {
    let now = Self.due + 960
    #expect(next(state, at: now, isUnsettled: true) == now + pause)
  }

  @Test func `the log says it once for each rule and run`() async throws {
    try await RuleWorld.with { world in
      let now = world.clock.now
      for (rule, count) in [("gone", 7), ("lost", 1)] {
        for _ in 0..<count {
          let milliseconds = Int(now.timeIntervalSince1970 * 1_000)
          let state = #"{"v":1,"timer":[["once",\#(milliseconds)]]}"#
          _ = try await world.client.query(
            "INSERT INTO rule_states (user_id, rule, key, state, timer_at) VALUES (\(UUID()), \(rule), '', \(state), \(now))"
          )
        }
      }
      // Three in one transaction: several batches, one run.
      try await world.timers().work()
      let notified = world.router.log.all.filter { $0.text.contains("timers of a rule came to nothing") }
      #expect(notified.count == 2)
      #expect(notified.first?.text.contains(/"states": "?7/) == true, "\(notified)")
      try await world.timers().work()
      #expect(world.router.log.all.count { $0.text.contains("timers of a rule came to nothing") } == 2)
    }
  }
}
