import Rules
import Testing

/// Rules in words, for people who do not read catalogues.
@Suite struct WordsTests {
  @Test(arguments: [
    (
      #"name: a, on: B, user: "{{u}}", when: { value: v, previous: p, fallsBelow: { setting: lowBalanceThreshold } }, notify: First"#,
      "on B, about {{u}}, when v falls below the setting 'Low balance threshold': First"
    ),
    (
      #"name: a, on: B, user: "{{u}}", when: { value: v, atLeast: { setting: untitled } }, notify: First"#,
      "on B, about {{u}}, when v is at least the setting untitled: First"
    ),
    (
      #"name: a, on: B, user: "{{u}}", when: { value: v, risesAbove: 10.50 }, notify: First"#,
      "on B, about {{u}}, when v rises above 10.5: First"
    ),
    (
      #"name: a, on: B, user: "{{u}}", key: "{{g}}:{{p}}", let: { percent: { percentOf: [now, goal] } }, "#
        + #"when: { value: percent, reaches: [100, 50] }, notify: { 100: SavingsGoalCompleted, else: SavingsGoalMilestone }"#,
      "on B, about {{u}}, for each {{g}}:{{p}}, once percent reaches 50 or 100: "
        + "SavingsGoalCompleted for 100, else SavingsGoalMilestone (percent is now in percent of goal)"
    ),
    (
      #"name: a, on: B, user: "{{u}}", remind: { due: "{{d}}", time: "09:00", offsets: [-P7D, -P1D, P0D, P1D] }, "#
        + #"unless: [done, paid], notify: First"#,
      "on B, about {{u}}, 7 days before, 1 day before, on the day of and 1 day after d, at 09:00, unless done or paid: First"
    ),
    (
      #"name: a, on: B, user: "{{u}}", remind: { at: "{{t}}", before: { value: early, else: PT30M } }, notify: First"#,
      "on B, about {{u}}, early, else PT30M before t: First"
    ),
    (#"name: a, on: B, user: "{{u}}", remind: { at: "{{t}}" }, notify: First"#, "on B, about {{u}}, at t: First"),
    (
      #"name: a, on: B, user: "{{u}}", when: { value: v, exceeds: w, evaluate: endOfPeriod }, notify: OverBudget"#,
      "on B, about {{u}}, if v exceeds w at the end of the {{period}}: OverBudget"
    ),
    (#"name: a, on: B, user: "{{u}}", when: first, notify: First"#, "on B, about {{u}}, the first time: First"),
    (
      #"name: a, on: B, user: "{{u}}", when: { once: "{{period}}" }, notify: First"#,
      "on B, about {{u}}, the first time in each {{period}}: First"
    ),
    (
      #"name: a, on: B, user: "{{u}}", when: { streak: day, reaches: [7, 30] }, notify: LoggingStreak"#,
      "on B, about {{u}}, after 7 or 30 days on end: LoggingStreak"
    ),
    (
      #"name: a, on: B, when: { value: v, atLeast: 500 }, notify: { type: First, to: ["{{x}}", "{{y?}}"] }"#,
      "on B, when v is at least 500: First to {{x}} and {{y?}}"
    ),
    (
      #"name: a, on: B, notify: [ { type: First, to: "{{x}}" }, { type: NewMessage, to: { group: "c:{{y}}", except: "{{z}}" } } ]"#,
      "on B: First to {{x}} and NewMessage to the group c:{{y}} but {{z}}"
    ),
    (
      #"name: a, on: B, user: "{{u}}", remind: { at: "{{t}}" }, notify: [ First, { type: NewMessage, to: "{{x}}" } ]"#,
      "on B, about {{u}}, at t: First to {{u}} and NewMessage to {{x}}"
    ),
    (
      #"name: a, absent: B, for: P3D, time: "10:00", notify: MissYou"#,
      "after 3 days without B, at 10:00: MissYou"
    ),
  ])
  func `a rule is said in a sentence`(_ flow: String, _ words: String) throws {
    #expect(try Fixture.rule(flow).words == words)
  }
}
