import Rules
import Testing

/// What counts of what a rule remembered, once another takes its place.
@Suite struct DifferenceTests {
  private static let head = #"name: a, on: B, user: "{{userId}}""#

  private func difference(_ old: String, _ new: String) throws -> RuleDifference {
    func whole(_ text: String) -> String { text.contains("on:") ? "name: a, \(text)" : "\(Self.head), \(text)" }
    return RuleDifference(from: try Fixture.rule(whole(old)), to: try Fixture.rule(whole(new)))
  }

  @Test(arguments: [
    "when: first, notify: First",
    "when: { value: v, fallsBelow: { setting: lowBalanceThreshold } }, notify: First",
    #"remind: { due: "{{d}}", time: "09:00", offsets: [-P1D, P0D] }, notify: First"#,
  ])
  func `a rule is the same as itself`(_ rule: String) throws {
    let difference = try difference(rule, rule)
    #expect(difference.sentences == [] && !difference.beginsAnew)
  }

  @Test(arguments: [
    (#"key: "{{g}}", when: first, notify: First"#, #"key: "{{h}}", when: first, notify: First"#),
    ("when: first, notify: First", #"key: "{{h}}", when: first, notify: First"#),
    ("when: { once: week }, notify: First", "when: { once: month }, notify: First"),
    (#"on: B, user: "{{u}}", when: first, notify: First"#, #"on: B, user: "{{w}}", when: first, notify: First"#),
    ("when: first, notify: First", "when: { streak: day, reaches: [7] }, notify: LoggingStreak"),
    ("notify: First", "when: first, notify: First"),
  ])
  func `it begins anew where what it remembers is not found, or is of another kind`(old: String, new: String) throws {
    #expect(try difference(old, new).beginsAnew)
    #expect(try difference(old, new).sentences.last?.contains("begins anew") == true)
  }

  @Test(arguments: [
    (
      "when: { value: v, reaches: [25, 50] }, notify: First", "when: { value: v, reaches: [30, 50] }, notify: First",
      "A value below one that a person has reached is not sent any more."
    ),
    (
      "when: { value: v, fallsBelow: 10 }, notify: First", "when: { value: v, fallsBelow: 20 }, notify: First",
      "A person's next event is compared with the last value that is known: who is across already is not notified."
    ),
    (
      "when: { value: v, fallsBelow: 10 }, notify: First", "when: { value: w, fallsBelow: 10 }, notify: First",
      "Until a person's next event, the last v counts as w."
    ),
    (
      #"on: B, user: "{{userId}}", when: first, notify: First"#,
      #"on: C, user: "{{userId}}", when: first, notify: First"#, "What it remembers from B goes on to count."
    ),
    (
      #"remind: { due: "{{d}}", time: "09:00", offsets: [P0D] }, notify: First"#,
      #"remind: { due: "{{d}}", time: "10:00", offsets: [P0D] }, notify: First"#,
      "A reminder that waits is looked at when it was due, and then by the new days and times; so is a date that is reported again."
    ),
    (
      "when: first, notify: First", "notify: First",
      "What it remembers of people no longer counts, and what waits for a time is not sent."
    ),
    ("notify: First", "data: { x: \"{{y}}\" }, notify: First", "Its notifications carry other data."),
  ])
  func `otherwise it goes on, and what that means is said`(old: String, new: String, last: String) throws {
    let difference = try difference(old, new)
    #expect(!difference.beginsAnew)
    #expect(difference.sentences.last == last)
  }

  /// What is said of values that were reached holds: the state of the former rule, read by the new one.
  @Test func `a rule with other values goes on with what a person has reached`() throws {
    let (old, new) = (
      try Fixture.rule("\(Self.head), when: { value: v, reaches: [25, 50] }, notify: First"),
      try Fixture.rule("\(Self.head), when: { value: v, reaches: [30, 60] }, notify: First")
    )
    func evaluate(_ rule: Rule, _ value: Int, _ state: RuleState?) throws -> RuleEvaluation {
      let event = try Fixture.event("B", "\"v\":\(value)", id: "e\(value)")
      let key = try rule.stateKey(of: event, zone: Fixture.berlin.zone)
      return rule.evaluate(.event(event), key: key, state: state, settings: Fixture.berlin)
    }
    let reached = try evaluate(old, 55, nil)
    #expect(reached.effects.count == 1)
    let lower = try evaluate(new, 40, reached.state)
    #expect(lower.effects.isEmpty)
    #expect(try evaluate(new, 61, lower.state).effects.count == 1)
    #expect(try evaluate(new, 40, nil).effects.count == 1)
  }
}
