import Foundation
import BelfryJSON
import Rules
import Testing

/// Rules as a catalogue has them.
@Suite struct FormTests {
  @Test func `the rules of the design are accepted`() throws {
    let rules = try Fixture.rules(
      """
      - { name: low-balance, on: BalanceUpdated, user: "{{childId}}",
          when: { value: newBalance, previous: previousBalance, fallsBelow: { setting: lowBalanceThreshold } },
          data: { balance: "{{newBalance|money}}" }, notify: LowBalanceWarning }
      - { name: goal-milestones, on: GoalUpdated, user: "{{userId}}", key: "{{goalId}}",
          let: { percent: { percentOf: [currentAmount, targetAmount] } },
          when: { value: percent, reaches: [25, 50, 75, 100] },
          notify: { 100: SavingsGoalCompleted, else: SavingsGoalMilestone } }
      - { name: goal-deadline, on: GoalUpdated, user: "{{userId}}", key: "{{goalId}}",
          remind: { due: "{{targetDate}}", time: "09:00", offsets: [-P7D, -P3D, -P1D, P0D, P1D] }, unless: completed,
          notify: SavingsGoalDeadline }
      - { name: over-budget, on: SpendingUpdated, user: "{{userId}}", key: "{{category}}:{{period}}",
          when: { value: spent, exceeds: budget, evaluate: endOfPeriod }, notify: OverBudget }
      - { name: logging-streak, on: TransactionLogged, user: "{{userId}}",
          when: { streak: day, reaches: [7, 30, 100] }, notify: LoggingStreak }
      - { name: miss-you, absent: AppOpened, for: P3D, time: "10:00", notify: MissYou }
      - { name: role-change, on: ContactRoleChanged,
          notify: [ { type: ContactRoleChanged, to: "{{contactId}}" },
                    { type: YourContactRoleChanged, to: "{{userId}}" } ] }
      - { name: chat, on: MessageSent,
          notify: { type: NewMessage, to: { group: "conversation:{{conversationId}}", except: "{{senderId}}" } } }
      """
    )
    let set = try RuleSet(rules)
    #expect(set.rules(on: "goalupdated").map(\.name) == ["goal-milestones", "goal-deadline"])
    #expect(set.absences.map(\.rule.name) == ["miss-you"])
    #expect(set.rules.filter(\.isStateful).count == 6)
    #expect(set.rule(named: "chat")?.types == ["NewMessage"])
    #expect(throws: RuleError(rule: "chat", field: "name", problem: "another rule has it too")) {
      try RuleSet([rules[7], rules[7]])
    }
  }

  @Test(
    arguments: [
      ("on: E, notify: First", "name: is missing"),
      ("name: A, on: E, notify: First", "name: expected 1 to 64 lower-case letters, digits and '-', not 'A'"),
      ("name: a, notify: First", "on: is missing, or 'absent'"),
      ("name: a, on: E", "notify: is missing"),
      ("name: a, on: E, notify: First", "notify: needs 'to', or the rule a 'user'"),
      ("name: a, on: E, user: x, notify: First", "user: expected one value, like {{userId}}"),
      ("name: a, on: E, user: \"{{u\", notify: First", "user: has '{{' without '}}'"),
      ("name: a, on: E, usr: \"{{u}}\", notify: First", "usr: is not a known key; known are "),
      ("*notify: Frst", "notify: 'Frst' is not a type of the catalogue"),
      ("*notify: { type: First, too: x }", "notify.too: is not a known key"),
      ("+when: first, remind: { at: x }", "remind: excludes 'when'"),
      ("name: a, on: E, when: first, notify: { type: First, to: \"{{u}}\" }", "user: is missing: the rule remembers"),
      ("+when: { value: x, reaches: [1, 1.0] }", "when.reaches: has the same"),
      ("+when: { value: x, reaches: [a] }", "when.reaches[0]: expected a number"),
      ("+when: { value: x, reaches: [] }", "when.reaches: expected 1 to 32"),
      ("+when: { reaches: [1] }", "when.value: is missing"),
      ("+when: { value: x, fallsBelow: 1, risesAbove: 2 }", "when: 'fallsBelow' excludes"),
      ("+when: { value: x, previous: y, reaches: [1] }", "when.previous: does not go with 'reaches'"),
      ("+when: { value: x, fallsBelow: { setting: s } }", "when.fallsBelow.setting: 's' is not a setting"),
      ("+when: { value: x, exceeds: 1 }", "when.evaluate: is missing"),
      ("+when: { value: x }", "when: expected one of atLeast, exceeds"),
      ("+when: { streak: day, reaches: [129] }", "when.reaches: expected whole"),
      ("*when: { value: x, reaches: [1] }, notify: { 2: First, else: First }", "notify.2: is not among 1"),
      (
        "*when: { value: x, reaches: [1, 2] }, notify: { 2: First }",
        "notify: 'else' is missing: nothing is said for 1"
      ),
      ("*notify: { 2: First }", "notify.2: the rule reaches no values"),
      ("+key: \"{{k}}\"", "key: has no meaning"),
      ("+remind: { due: x, time: \"9\", offsets: [P0D] }", "remind.time: expected a time"),
      ("+remind: { due: x, time: \"09:00\", offsets: [P0D, P0D] }", "remind.offsets: has the same"),
      ("+remind: { due: x, time: \"09:00\", offsets: [P500D] }", "remind.offsets[0]: expected at most"),
      ("name: a, absent: E, for: P3D, time: \"10:00\", on: F, notify: First", "absent: excludes 'on'"),
      ("name: a, absent: E, for: P0D, time: \"10:00\", notify: First", "for: expected 1 to 365 days"),
      ("name: a, absent: E, for: P3D, time: \"10:00\", when: first, notify: First", "when: does not go with 'absent'"),
      (
        "name: a, absent: E, for: P3D, time: \"10:00\", data: { x: \"{{amount}}\" }, notify: First",
        "notify: '{{amount}}': where an event is absent"
      ),
      ("name: a, on: E, for: P3D, user: \"{{u}}\", notify: First", "for: belongs to 'absent'"),
      ("+data: { x: \"{{a|mony}}\" }", "data.x: 'mony' is not a filter; there are money, name"),
      ("+let: { x: { percentOf: [a] } }", "let.x.percentOf: expected two"),
      ("+let: { x: { minus: [y, 1] }, y: { minus: [x, 1] } }", "let.x: is computed from itself"),
      ("+unless: []", "unless: expected 1 to 8 elements"),
    ]
  )
  func `what is wrong with a rule is reported with its name and field`(_ flow: String, _ problem: String) throws {
    // '*' stands for the beginning of a rule in order, '+' for all of one.
    let start = "name: a, on: E, user: \"{{u}}\", "
    let rest = String(flow.dropFirst())
    let whole = flow.hasPrefix("+") ? "\(start)notify: First, \(rest)" : flow.hasPrefix("*") ? start + rest : flow
    let error = #expect(throws: RuleError.self) { try Fixture.rule(whole) }
    let text = error?.description ?? ""
    let name = whole.hasPrefix("name: a,") ? "a" : whole.hasPrefix("name: A") ? "A" : ""
    #expect(text.hasPrefix("rule '\(name)': \(problem)"), "\(text)")
  }

  @Test func `all that is wrong with a rule is said at once, in the order in which it is read`() throws {
    let json = """
      {"name":"A!","user":"x","wen":1,"when":{"value":"5 5","fallsBelow":"x y"},"data":{"a":"{{b","c":"d}}"},
      "let":{"e":{"minus":[1]},"f":{"times":[1,2]}},"notify":["Frst",{"type":"First","too":1}]}
      """
    let form = RuleForm(try JSONParser.parse(Array(json.utf8)))
    let errors = #expect(throws: RuleErrors.self) { try Rule.read(form, in: Fixture.catalogue) }?.errors
    #expect(
      errors?.map(\.field) == [
        "wen", "name", "on", "user", "let.e.minus", "let.f.times", "when.value", "when.fallsBelow", "data.a",
        "data.c", "notify[0]", "notify[1].too",
      ]
    )
    #expect(errors?.first?.problem.hasSuffix("; did you mean when?") == true)
    let first = #expect(throws: RuleError.self) { try Rule(form, in: Fixture.catalogue) }
    #expect(first != nil && first == errors?.first)
  }

  @Test(arguments: ["just text", "[1, 2]", "~", "{ name: { a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } } }"])
  func `what is no rule at all is an error, never a crash`(_ yaml: String) {
    #expect(throws: (any Error).self) { try Fixture.rules("- \(yaml)") }
  }
}
