import NotificationModel
import Testing

/// The catalogue against the push notification specification, to the letter.
@Suite struct BuiltInTypesTests {
  struct Expected: Sendable, CustomTestStringConvertible {
    var code: Int
    var name: String
    var title: String
    var body: String
    var testDescription: String { name }
  }

  private let catalogue: Catalogue

  init() throws {
    catalogue = try Catalogue()
  }

  /// One value for each variable that any template uses.
  private static let data = [
    "amount": "$10.00", "badgeName": "Saver", "balance": "$42.00", "category": "Toys", "childName": "Mia",
    "count": "4", "description": "Lemonade stand", "dueDate": "Friday", "giverName": "Grandma", "goalName": "Bicycle",
    "income": "$30.00", "percent": "75", "reason": "low marks", "reward": "$5.00", "spending": "$12.50",
    "taskName": "Dishes", "type": "Credit",
  ]

  private static let expected = [
    Expected(code: 1, name: "BalanceAlert", title: "Balance Alert", body: "Your balance changed to $42.00"),
    Expected(
      code: 2,
      name: "LowBalanceWarning",
      title: "Low Balance Warning",
      body: "Your balance is down to $42.00"
    ),
    Expected(code: 3, name: "TransactionCreated", title: "Credit - $10.00", body: "Lemonade stand"),
    Expected(
      code: 10,
      name: "AllowanceDeposit",
      title: "Allowance Received!",
      body: "Your weekly allowance of $10.00 has been deposited. New balance: $42.00"
    ),
    Expected(
      code: 11,
      name: "AllowancePaused",
      title: "Allowance Paused",
      body: "Your allowance has been paused: low marks"
    ),
    Expected(
      code: 12,
      name: "AllowanceResumed",
      title: "Allowance Resumed",
      body: "Your allowance is back on track!"
    ),
    Expected(
      code: 20,
      name: "GoalProgress",
      title: "Goal Progress",
      body: "You're 75% of the way to Bicycle!"
    ),
    Expected(
      code: 21,
      name: "GoalMilestone",
      title: "Milestone Reached!",
      body: "You've hit 75% on your Bicycle goal!"
    ),
    Expected(
      code: 22,
      name: "GoalCompleted",
      title: "Goal Achieved!",
      body: "Congratulations! You saved enough for Bicycle!"
    ),
    Expected(
      code: 23,
      name: "ParentMatchAdded",
      title: "Parent Match!",
      body: "Your parent added $10.00 to match your savings!"
    ),
    Expected(code: 30, name: "TaskAssigned", title: "New Task", body: "You have a new task: Dishes - $5.00"),
    Expected(code: 31, name: "TaskReminder", title: "Task Reminder", body: "Don't forget: Dishes is due Friday"),
    Expected(code: 32, name: "TaskCompleted", title: "Notification", body: "You have a new notification"),
    Expected(
      code: 33,
      name: "ApprovalRequired",
      title: "Approval Needed",
      body: #"Mia completed "Dishes" - tap to review"#
    ),
    Expected(
      code: 34,
      name: "TaskApproved",
      title: "Task Approved!",
      body: #""Dishes" was approved! $5.00 added to your balance."#
    ),
    Expected(
      code: 35,
      name: "TaskRejected",
      title: "Task Needs Work",
      body: #""Dishes" wasn't approved: low marks"#
    ),
    Expected(
      code: 40,
      name: "BudgetWarning",
      title: "Budget Warning",
      body: "You've spent 75% of your Toys budget"
    ),
    Expected(
      code: 41,
      name: "BudgetExceeded",
      title: "Budget Exceeded",
      body: "You've exceeded your Toys budget by $10.00"
    ),
    Expected(
      code: 50,
      name: "AchievementUnlocked",
      title: "Achievement Unlocked!",
      body: #"You earned the "Saver" badge!"#
    ),
    Expected(code: 51, name: "StreakUpdate", title: "Streak Update", body: "You're on a 4-week savings streak!"),
    Expected(code: 60, name: "FamilyInvite", title: "Notification", body: "You have a new notification"),
    Expected(code: 61, name: "ChildAdded", title: "Notification", body: "You have a new notification"),
    Expected(code: 62, name: "GiftReceived", title: "Gift Received!", body: "Grandma sent you $10.00!"),
    Expected(
      code: 70,
      name: "WeeklySummary",
      title: "Your Weekly Summary",
      body: "This week: +$30.00 earned, -$12.50 spent"
    ),
    Expected(code: 71, name: "MonthlySummary", title: "Notification", body: "You have a new notification"),
    Expected(code: 99, name: "SystemAnnouncement", title: "Notification", body: "You have a new notification"),
  ]

  @Test func `types 1 to 99 are exactly the 26 of the specification`() {
    #expect(catalogue.types.map(\.code).filter { $0 < 100 } == Self.expected.map(\.code))
  }

  @Test(arguments: expected)
  func `a type has its code, its name and its text`(_ expected: Expected) throws {
    let type = try #require(catalogue.type(.code(expected.code)))
    #expect(type.name == expected.name)
    #expect(catalogue.type(.name(expected.name.uppercased()))?.code == expected.code)
    let text = type.template.render(title: nil, body: nil, data: Self.data)
    #expect(text.title == expected.title)
    #expect(text.body == expected.body)
  }

  @Test(arguments: [32, 60, 61, 71, 99])
  func `five types fall back to the general text and need no data`(_ code: Int) throws {
    let template = try #require(catalogue.type(.code(code))).template
    #expect(template.missing(in: [:]).isEmpty)
    #expect(template.render(title: nil, body: nil, data: [:]).title == "Notification")
    #expect(template.render(title: nil, body: nil, data: [:]).body == "You have a new notification")
  }

  @Test func `a paused allowance needs no reason`() throws {
    let template = try #require(catalogue.type(.code(11))).template
    #expect(template.missing(in: [:]).isEmpty)
    #expect(template.render(title: nil, body: nil, data: [:]).body == "Your allowance has been paused")
  }

  @Test(
    arguments: [
      (1, ["balance"]), (3, ["amount", "description", "type"]), (10, ["amount", "balance"]),
      (20, ["goalName", "percent"]), (31, ["dueDate", "taskName"]), (33, ["childName", "taskName"]),
      (35, ["reason", "taskName"]), (41, ["amount", "category"]), (51, ["count"]), (62, ["amount", "giverName"]),
      (70, ["income", "spending"]),
    ]
  )
  func `missing variables are named in alphabetical order`(_ code: Int, _ names: [String]) throws {
    #expect(try #require(catalogue.type(.code(code))).template.missing(in: [:]) == names)
  }

  @Test func `every type goes to the inbox and to devices, urgently, for thirty days, unless told otherwise`() {
    for type in catalogue.types where type.code < 100 {
      #expect(type.channels == PerChannel(inApp: true, push: true, email: false))
      #expect(type.priority == .high)
      #expect(type.timeToLive == 30 * 86_400)
    }
  }
}
