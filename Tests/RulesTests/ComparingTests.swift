import Foundation
import Rules
import Testing

/// Rules that compare a value at once.
@Suite struct ComparingTests {
  static let lowBalance = """
    name: low-balance, on: BalanceUpdated, user: "{{userId}}", notify: LowBalanceWarning,
    when: { value: new, previous: old, fallsBelow: { setting: lowBalanceThreshold } }, data: { balance: "{{new|money}}" }
    """

  @Test(
    arguments: [
      ("15", "8", true), ("10", "9.99", true), ("10", "10", false), ("9", "8", false), ("8", "15", false),
      ("15", "10", false), ("\"15.00\"", "\"9.999999999999999999\"", true), ("10.0", "1e1", false),
    ]
  )
  func `falling below is crossed by one event with its previous value`(_ old: String, _ new: String, _ notifies: Bool)
    throws
  {
    var bench = try Bench(Self.lowBalance)
    try bench.take(Fixture.event("balanceupdated", "\"old\":\(old),\"new\":\(new)"))
    #expect(bench.notified.count == (notifies ? 1 : 0))
  }

  @Test func `a crossing's notice has the event's id and intake, and the value for the renderer's locale`() throws {
    var bench = try Bench(Self.lowBalance)
    let event = try Fixture.event("BalanceUpdated", "\"old\":15,\"new\":8.10", id: "b7", occurredAt: Fixture.noon - 60)
    #expect(try bench.take(event) == .notified(what: "event:b7", notices: 1))
    let notice = try #require(bench.notified.first)
    #expect(notice.at == Fixture.noon)
    #expect(notice.type == "LowBalanceWarning")
    #expect(notice.audience == .users([Fixture.mia]))
    #expect(notice.data == ["balance": RuleText([.formatted("8.10", [RuleText.Filter("money")])])])
    #expect(
      notice.id.description == "low-balance/00000000-0000-7000-8000-00000000000a//event:b7/LowBalanceWarning"
    )
  }

  @Test func `without a previous value the state's last one counts, and an older event leaves it`() throws {
    var bench = try Bench(
      "name: low, on: B, user: \"{{userId}}\", when: { value: new, fallsBelow: 10 }, notify: LowBalanceWarning"
    )
    func event(_ id: String, _ value: Int, _ minute: Double) throws -> RuleEvent {
      try Fixture.event(
        "B",
        "\"new\":\(value)",
        id: id,
        at: Fixture.noon + 3_600,
        occurredAt: Fixture.noon + minute * 60
      )
    }
    #expect(try bench.take(event("a", 5, 1)).code == "firstValue")
    #expect(try bench.take(event("b", 20, 2)).code == "notCrossed")
    #expect(try bench.take(event("c", 9, 4)).hasNotified)
    #expect(try bench.take(event("c", 9, 4)).code == "alreadyTold")
    #expect(try bench.take(event("d", 30, 3)).code == "outdated")
    #expect(try bench.take(event("e", 8, 5)).code == "notCrossed")
    #expect(try bench.take(event("f", 11, 6)).code == "notCrossed")
    #expect(try bench.take(event("g", 1, 7)).hasNotified)
    #expect(bench.what == ["event:c", "event:g"])
  }

  static let milestones = """
    name: goal-milestones, on: GoalUpdated, user: "{{userId}}", key: "{{goalId}}",
    let: { percent: { percentOf: [currentAmount, targetAmount] } }, when: { value: percent, reaches: [75, 25, 50, 100] },
    notify: { 100: SavingsGoalCompleted, else: SavingsGoalMilestone }
    """

  @Test func `milestones are announced once per goal, of a jump the highest, with the value reached`() throws {
    var bench = try Bench(Self.milestones)
    for (index, amount) in [10, 24.99, 80, 60, 30, 80, 90, 100, 120].enumerated() {
      let payload = "\"goalId\":\"g1\",\"currentAmount\":\(amount),\"targetAmount\":\"100\""
      try bench.take(Fixture.event("GoalUpdated", payload, id: "\(index)", at: Fixture.noon + Double(index)))
    }
    try bench.take(Fixture.event("GoalUpdated", "\"goalId\":\"g2\",\"percent\":50", id: "other"))
    #expect(bench.what == ["reached:75", "reached:100", "reached:50"])
    #expect(bench.notified.map(\.type) == ["SavingsGoalMilestone", "SavingsGoalCompleted", "SavingsGoalMilestone"])
    #expect(bench.notified[0].data["percent"] == RuleText("75"))
    #expect(bench.notified[0].data["currentAmount"] == RuleText("80.0"))
    #expect(bench.notified[0].literals == ["currentAmount"], "the value reached and what came as text are texts")
    #expect(bench.notified[0].at == Fixture.noon + 2)
    #expect(bench.states.count == 2)
  }

  @Test func `streaks count local days, join over late events, and end at gaps`() throws {
    var bench = try Bench(
      "name: s, on: T, user: \"{{userId}}\", when: { streak: day, reaches: [3, 7] }, notify: LoggingStreak"
    )
    func log(_ day: Double, _ id: String) throws -> RuleOutcome {
      try bench.take(
        Fixture.event("T", "\"x\":1", id: id, at: Fixture.noon + 864_000, occurredAt: Fixture.noon + day * 86_400)
      )
    }
    #expect(try log(0, "a").code == "notReached")
    #expect(try log(0.01, "b").code == "notReached")
    #expect(try log(1, "c").code == "notReached")
    #expect(try log(3, "d").code == "notReached")
    #expect(try log(4, "e").code == "notReached")
    // Joins two days and two days.
    #expect(try log(2, "f") == .notified(what: "reached:3", notices: 1))
    #expect(bench.notified[0].data["streak"] == RuleText("3"))
    #expect(try log(5, "g").code == "alreadyTold")
    #expect(try log(6, "h") == .notified(what: "reached:7", notices: 1))
    #expect(try log(-130, "i").code == "tooOld")
  }

  @Test func `a first is announced once per person, and once more per period`() throws {
    var first = try Bench("name: f, on: T, user: \"{{userId}}\", when: first, notify: First")
    var weekly = try Bench("name: w, on: T, user: \"{{userId}}\", when: { once: \"{{period}}\" }, notify: First")
    for day in 0..<9 {
      let time = Fixture.noon + Double(day) * 86_400
      let event = try Fixture.event("T", "\"period\":\"week\"", id: "\(day)", at: time)
      try first.take(event)
      try weekly.take(event)
    }
    #expect(first.notified.map(\.at) == [Fixture.noon])
    #expect(weekly.notified.map(\.id.key) == ["@week:2026-11-22", "@week:2026-11-29", "@week:2026-12-06"])
    #expect(weekly.states.keys.count == 3)
    #expect(
      try weekly.take(.settingsChanged, key: weekly.states.keys.sorted()[0]).code == "unchanged"
    )
  }

  @Test func `large is announced at once and each time, nothing where there is no amount`() throws {
    var bench = try Bench(
      "name: l, on: T, user: \"{{userId}}\", when: { value: amount, atLeast: 500 }, notify: LargeTransaction"
    )
    #expect(try bench.take(Fixture.event("T", "\"amount\":500", id: "a")).hasNotified)
    #expect(try bench.take(Fixture.event("T", "\"amount\":\"499.99\"", id: "b")).code == "notLargeEnough")
    #expect(try bench.take(Fixture.event("T", "\"amount\":null", id: "c")).code == "nothingToCompare")
    #expect(bench.states.isEmpty)
  }

  @Test(arguments: ["\"NaN\"", "1e15", "[1]", "true", "\"12abc\"", "1e99999999999999999999"])
  func `what is no number is refused, and changes nothing`(_ value: String) throws {
    for flow in [Self.lowBalance, Self.milestones] {
      var bench = try Bench(flow)
      let names = ["new", "percent"].map { "\"\($0)\":\(value)" }.joined(separator: ",")
      let event = try Fixture.event(bench.rule.event, "\"goalId\":\"g\",\(names)")
      let outcome = try bench.take(event)
      #expect(outcome.code == "refused")
      #expect(outcome.description.contains("expected a number"))
      #expect(bench.states.isEmpty)
    }
  }
}
