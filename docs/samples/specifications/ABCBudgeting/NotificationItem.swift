import Foundation

struct NotificationItem: Identifiable {
  let id: String
  let title: String
  let body: String
  let type: NotificationType
  let triggerDate: Date
  let isRepeating: Bool
  let repeatInterval: NotificationRepeatInterval?
  let userInfo: [String: Any]?

  init(
    title: String,
    body: String,
    type: NotificationType,
    triggerDate: Date,
    isRepeating: Bool = false,
    repeatInterval: NotificationRepeatInterval? = nil,
    userInfo: [String: Any]? = nil
  ) {
    self.id = UUID().uuidString
    self.title = title
    self.body = body
    self.type = type
    self.triggerDate = triggerDate
    self.isRepeating = isRepeating
    self.repeatInterval = repeatInterval
    self.userInfo = userInfo
  }
}

/// All but `userInfo`, whose values may be anything: in the specification this does not compile.
extension NotificationItem: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, title, body, type, triggerDate, isRepeating, repeatInterval
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(String.self, forKey: .id)
    title = try members.decode(String.self, forKey: .title)
    body = try members.decode(String.self, forKey: .body)
    type = try members.decode(NotificationType.self, forKey: .type)
    triggerDate = try members.decode(Date.self, forKey: .triggerDate)
    isRepeating = try members.decode(Bool.self, forKey: .isRepeating)
    repeatInterval = try members.decodeIfPresent(NotificationRepeatInterval.self, forKey: .repeatInterval)
    userInfo = nil
  }
}

enum NotificationType: String, CaseIterable, Codable, Sendable {
  case transactionReminder = "transaction_reminder"
  case goalProgress = "goal_progress"
  case spendingAlert = "spending_alert"
  case recurringTransaction = "recurring_transaction"
  case achievement = "achievement"
  case appEngagement = "app_engagement"
}

enum NotificationRepeatInterval: String, CaseIterable, Codable, Sendable {
  case daily = "daily"
  case weekly = "weekly"
  case monthly = "monthly"
  case yearly = "yearly"
}

struct GoalFormData: Sendable {
  var id: String
  var title: String
  var currentAmount: Double
  var targetAmount: Double
  var targetDate: Date
}

enum NotificationContentGenerator {
  static func generateTransactionReminder() -> NotificationItem {
    NotificationItem(
      title: "Log Today's Transactions",
      body: "Don't forget to log your transactions to stay on top of your budget",
      type: .transactionReminder,
      triggerDate: Date()
    )
  }

  static func generateGoalProgressNotification(for goal: GoalFormData, milestone: Double) -> NotificationItem {
    NotificationItem(
      title: "Goal Milestone Reached!",
      body: "Congratulations! You've reached \(Int(milestone * 100))% of your \(goal.title) goal",
      type: .goalProgress,
      triggerDate: Date(),
      userInfo: ["goalId": goal.id, "milestone": milestone]
    )
  }

  static func generateSpendingAlert(dailySpending: Double, dailyBudget: Double) -> NotificationItem {
    let spent = String(format: "%.2f", dailySpending)
    let over = String(format: "%.2f", dailySpending - dailyBudget)
    return NotificationItem(
      title: "Daily Budget Exceeded",
      body: "You've spent $\(spent) today, exceeding your budget by $\(over)",
      type: .spendingAlert,
      triggerDate: Date(),
      userInfo: ["dailySpending": dailySpending, "dailyBudget": dailyBudget]
    )
  }
}
