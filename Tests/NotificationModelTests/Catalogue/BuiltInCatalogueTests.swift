import BelfryJSON
import NotificationModel
import Rules
import Testing

/// What the built-in catalogue says beside texts.
@Suite struct BuiltInCatalogueTests {
  private let catalogue: Catalogue

  init() throws {
    catalogue = try Catalogue()
  }

  @Test func `categories are those of the specifications, and only app engagement is off`() {
    #expect(
      catalogue.categories.map(\.name) == [
        "Balance & Transactions", "Allowance", "Goals & Savings", "Tasks", "Budget", "Achievements", "Family", "System",
        "Messages", "Transaction Reminders", "Goal Progress", "Spending Alerts", "Recurring Transactions",
        "App Engagement", "Alerts", "Pings", "Roles", "Removed", "Added", "Check-Ins",
      ]
    )
    for type in catalogue.types {
      let isOn = type.category != "App Engagement"
      #expect(type.channels == PerChannel(inApp: isOn, push: isOn, email: false), "\(type.name)")
    }
  }

  @Test func `actions are those of the budgeting specification`() {
    var expected: [Int: [String]] = [:]
    for code in [20, 21, 22, 130, 131, 132, 133] { expected[code] = ["VIEW_GOALS"] }
    for code in [120, 121, 122] { expected[code] = ["ADD_TRANSACTION", "VIEW_TRANSACTIONS"] }
    for code in [140, 141] { expected[code] = ["VIEW_TRANSACTIONS", "VIEW_OVERVIEW"] }
    for type in catalogue.types { #expect(type.actions.map(\.id) == expected[type.code] ?? [], "\(type.name)") }
  }

  @Test func `alerts and expired check-ins of others pierce quiet hours, all else waits`() {
    #expect(catalogue.types.filter { $0.quietHours == .pierce }.map(\.code) == [200, 201, 252])
    #expect(catalogue.types.allSatisfy { $0.quietHours == .pierce || $0.quietHours == .defer })
  }

  @Test func `a message travels with three ids, its text apart, and is neither throttled nor gathered`() throws {
    let type = try #require(catalogue.type(.code(110)))
    #expect(type.payload == ["conversationId", "senderId", "messageId"])
    #expect(type.maximumBodyLength == 100)
    #expect(type.throttle == nil)
    #expect(type.digest == nil)
    #expect(type.waits.entries.isEmpty)
    #expect(type.sound == "default")
  }

  @Test func `every event that is not relayed has a rule`() {
    let evaluated = Set(catalogue.rules.rules.map(\.event))
    #expect(catalogue.events.filter { !$0.isRelayed && !evaluated.contains($0.name) }.map(\.name) == [])
    #expect(catalogue.events.count == 23)
  }

  @Test func `rules are those of the specifications`() {
    #expect(
      catalogue.rules.rules.map(\.name) == [
        "alert-cancelled", "alert-triggered", "chat", "check-in-expired", "check-in-reminder", "contact-added",
        "contact-removed", "first-goal-completed", "first-goal-created", "first-transaction", "goal-deadline",
        "goal-milestones", "goals-not-viewed", "large-transaction", "logging-streak", "low-balance", "miss-you",
        "nothing-logged", "over-budget", "ping-responded", "ping-sent", "recurring-created", "recurring-due",
        "role-change", "spending-reduced",
      ]
    )
  }

  @Test func `schedule templates remind daily, weekly and monthly`() {
    let schedules = catalogue.schedules.map { "\($0.name) \($0.recurrence) \($0.time)" }
    #expect(
      schedules == [
        "daily-log-reminder FREQ=DAILY 19:00:00", "monthly-financial-review FREQ=MONTHLY;BYMONTHDAY=1 09:00:00",
        "weekly-spending-summary FREQ=WEEKLY;BYDAY=SU 18:00:00",
      ]
    )
    #expect(catalogue.schedule("Daily-Log-Reminder")?.type == .name("DailyLogReminder"))
  }

  @Test func `several notifications delivered as one say how many there are, and the first titles`() {
    func text(_ data: [String: String]) -> NotificationTemplate.Text {
      catalogue.composition.render(title: nil, body: nil, data: data)
    }
    #expect(
      text(["count": "2", "titles": "A, B"]) == NotificationTemplate.Text(title: "2 notifications", body: "A, B")
    )
    #expect(text(["count": "5", "titles": "A, B, C", "others": "2"]).body == "A, B, C and 2 more")
  }

  @Test func `a file switches off rules and changes categories of built-in types`() throws {
    let catalogue = try Catalogue(
      overrides: """
        version: 1
        currency: EUR
        defaultLocale: de
        categories: [{ name: App Engagement, channels: { push: true } }]
        rules:
        - { name: Miss-You, off: true }
        - { name: chat, on: PingSent, notify: { type: NewMessage, to: "{{contactId}}" } }
        """
    )
    #expect(catalogue.rules.rules.count == 24)
    #expect(catalogue.rules.rule(named: "chat")?.event == "PingSent")
    #expect(catalogue.type(.name("MissYou"))?.channels.push == true)
    #expect(catalogue.type(.name("MissYou"))?.channels.inApp == false)
    let large = try #require(catalogue.type(.name("LargeTransaction"))).template
    #expect(large.render(title: nil, body: nil, data: ["amount": "500.5"]).body.hasSuffix("500,50\u{A0}€"))
  }
}
