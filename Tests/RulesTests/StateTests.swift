import Foundation
import BelfryJSON
import Rules
import Testing
import WallClock

/// The stored form of states.
@Suite struct StateTests {
  @Test func `a state is small and keeps members that it does not know`() throws {
    let text = #"{"v":1,"told":[["once",1795348800000]],"later":{"a":[1]}}"#
    let state = try RuleState(json: text)
    #expect(state.notified.map(\.what) == ["once"])
    #expect(state.json == text)
    #expect(try RuleState(json: RuleState().json) == RuleState())
    #expect(RuleState().json == #"{"v":1}"#)
  }

  @Test(
    arguments: [
      "", "[]", "{}", #"{"v":2}"#, #"{"v":1,"told":[["a"]]}"#, #"{"v":1,"days":[1,"0"]}"#,
      #"{"v":1,"days":[1,"xyz"]}"#,
      #"{"v":1,"latest":[1,2]}"#, #"{"v":1,"timer":["a",1e300]}"#, #"{"v":1,"due":"x"}"#, #"{"v":1,"kept":[]}"#,
      #"{"v":1,"until":99999999999999999999999}"#,
    ]
  )
  func `a state that cannot be read is an error`(_ text: String) {
    #expect(throws: RuleStateError.self) { try RuleState(json: text) }
  }

  @Test func `the range of dates is never left`() throws {
    let state = try RuleState(json: #"{"v":1,"day":99999999999,"due":-99999999999}"#)
    #expect(state.day == LocalDate.last)
  }

  @Test func `what a crossing remembers does not grow`() throws {
    var bench = try Bench(ComparingTests.lowBalance)
    for index in 0..<500 {
      let id = String(repeating: "x", count: 120) + "\(index)"
      try bench.take(Fixture.event("BalanceUpdated", "\"old\":15,\"new\":1", id: id, at: Fixture.noon + Double(index)))
    }
    #expect(bench.notified.count == 500)
    #expect(bench.states.values.allSatisfy { $0.json.utf8.count < 4_000 })
  }

  /// A rule's condition, and payloads of which it keeps something.
  @Test(
    arguments: [
      ("when: { value: v, reaches: [25, 50] }", "\"v\":30"), ("when: first", "\"v\":1"),
      ("when: { streak: day, reaches: [3] }", "\"v\":1"), ("when: { value: v, fallsBelow: 10 }", "\"v\":30"),
    ]
  )
  func `what is kept by a key ends long after the last event about it, and no repetition moves that`(
    _ condition: String,
    _ payload: String
  ) throws {
    let day: TimeInterval = 86_400
    var bench = try Bench("name: a, on: E, user: \"{{userId}}\", key: \"{{k}}\", \(condition), notify: First")
    func report(_ id: String, after days: Double) throws -> Date? {
      try bench.take(Fixture.event("E", "\"k\":\"g\",\(payload)", id: id, at: Fixture.noon + days * day))
      return bench.states.values.first?.disposableFrom
    }
    #expect(try report("e1", after: 0) == Fixture.noon + 400 * day)
    let (notified, state) = (bench.notified.count, bench.states)
    // Reported again, and once more within a month: nobody writes anything because of that alone.
    #expect(try report("e1", after: 0) == Fixture.noon + 400 * day)
    #expect(bench.states == state)
    #expect(try report("e2", after: 29) == Fixture.noon + 400 * day)
    #expect(try report("e3", after: 399) == Fixture.noon + 799 * day)
    // As late as that, the state still knows what was notified.
    #expect(bench.notified.count == notified)
    // Late and out of order: no step back.
    #expect(try report("e4", after: 1) == Fixture.noon + 799 * day)
  }

  @Test func `what has no key has no end, and an event that leaves nothing makes no state`() throws {
    var whole = try Bench("name: a, on: E, user: \"{{userId}}\", when: first, notify: First")
    try whole.take(Fixture.event("E", "\"v\":1"))
    #expect(whole.states.values.map(\.disposableFrom) == [nil])
    var none = try Bench(
      "name: a, on: E, user: \"{{userId}}\", key: \"{{k}}\", when: { value: v, reaches: [25] }, notify: First"
    )
    try none.take(Fixture.event("E", "\"k\":\"g\",\"v\":1"))
    #expect(none.states.isEmpty)
  }

  @Test func `ids of different things never have the same bytes`() {
    let parts = ["", "a", "ab", "a/b", "/", "\u{0}"]
    var ids: [[UInt8]: EffectID] = [:]
    for rule in parts {
      for key in parts {
        for what in parts {
          let id = EffectID(rule: rule, user: nil, key: key, what: what, notice: "n")
          #expect(ids.updateValue(id, forKey: id.bytes) == nil)
        }
      }
    }
  }

  @Test func `a payload with too much to keep is refused`() throws {
    let list = Array(repeating: "\"\(Fixture.ben.uuidString)\"", count: 450).joined(separator: ",")
    var bench = try Bench(TimingTests.expired)
    let event = try Fixture.event("CheckedIn", "\"expiresAt\":\"2026-11-22T15:00:00Z\",\"contactIds\":[\(list)]")
    #expect(try bench.take(event).code == "refused")
    #expect(bench.states.isEmpty)
  }

  @Test func `a timer whose notice cannot be made is given up, not asked for ever`() throws {
    var bench = try Bench(TimingTests.expired)
    try bench.take(Fixture.event("CheckedIn", "\"expiresAt\":\"2026-11-22T15:00:00Z\",\"contactIds\":[]"))
    let key = bench.states.keys.first!
    // The catalogue has changed: a member is needed that was not kept.
    let rule = try Fixture.rule(
      """
      name: expired, on: CheckedIn, user: "{{userId}}", remind: { at: "{{expiresAt}}" },
      notify: { type: CheckInExpired, data: { name: "{{userName}}" } }
      """
    )
    let state = try #require(bench.states[key])
    let evaluation = rule.evaluate(
      .due(now: Fixture.noon + 86_400),
      key: key,
      state: state,
      settings: Fixture.berlin
    )
    #expect(evaluation.outcome.code == "refused")
    #expect(evaluation.state?.timer == nil)
    #expect(evaluation.effects == [.cancel(key)])
  }
}
