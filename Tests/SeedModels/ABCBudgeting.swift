package import Foundation

/// ABC Budgeting, the module of notifications: what its app keeps of them, lines 170 to 232 and 390 to 424.
///
/// The specification has no server. What travels to Belfry are its settings, the names of its types and of its actions.
package enum ABCBudgeting {
  /// Lines 172 to 200. Its `userInfo` is `[String: Any]?`, which is not `Codable`; here it is left out.
  package struct NotificationItem: Identifiable, Codable {
    package let id: String
    package let title: String
    package let body: String
    package let type: NotificationType
    package let triggerDate: Date
    package let isRepeating: Bool
    package let repeatInterval: NotificationRepeatInterval?

    package init(
      title: String,
      body: String,
      type: NotificationType,
      triggerDate: Date,
      isRepeating: Bool = false,
      repeatInterval: NotificationRepeatInterval? = nil
    ) {
      id = UUID().uuidString
      self.title = title
      self.body = body
      self.type = type
      self.triggerDate = triggerDate
      self.isRepeating = isRepeating
      self.repeatInterval = repeatInterval
    }
  }

  /// Lines 203 to 210.
  package enum NotificationType: String, CaseIterable, Codable {
    case transactionReminder = "transaction_reminder"
    case goalProgress = "goal_progress"
    case spendingAlert = "spending_alert"
    case recurringTransaction = "recurring_transaction"
    case achievement = "achievement"
    case appEngagement = "app_engagement"
  }

  /// Lines 213 to 218.
  package enum NotificationRepeatInterval: String, CaseIterable, Codable {
    case daily = "daily"
    case weekly = "weekly"
    case monthly = "monthly"
    case yearly = "yearly"
  }

  /// Lines 221 to 232.
  package struct NotificationSettings: Codable, Equatable {
    package var isEnabled: Bool = true
    package var transactionReminders: Bool = true
    package var goalProgress: Bool = true
    package var spendingAlerts: Bool = true
    package var recurringTransactions: Bool = true
    package var achievements: Bool = true
    package var appEngagement: Bool = false
    package var quietHoursStart: Date?
    package var quietHoursEnd: Date?
    package var timezone: TimeZone = TimeZone.current

    package init() {}
  }

  /// Lines 392 to 424.
  package enum NotificationContentGenerator {
    package static func generateTransactionReminder() -> NotificationItem {
      NotificationItem(
        title: "Log Today's Transactions",
        body: "Don't forget to log your transactions to stay on top of your budget",
        type: .transactionReminder,
        triggerDate: Date()
      )
    }

    /// - Parameter goal: The title of the goal; the rest of `GoalFormData` does not travel.
    package static func generateGoalProgressNotification(for goal: String, milestone: Double) -> NotificationItem {
      NotificationItem(
        title: "Goal Milestone Reached!",
        body: "Congratulations! You've reached \(Int(milestone * 100))% of your \(goal) goal",
        type: .goalProgress,
        triggerDate: Date()
      )
    }

    package static func generateSpendingAlert(dailySpending: Double, dailyBudget: Double) -> NotificationItem {
      let (spent, over) = (dailySpending, dailySpending - dailyBudget)
      return NotificationItem(
        title: "Daily Budget Exceeded",
        body: "You've spent $\(String(format: "%.2f", spent)) today, exceeding your budget by "
          + "$\(String(format: "%.2f", over))",
        type: .spendingAlert,
        triggerDate: Date()
      )
    }
  }

  /// Lines 491 to 507: what the buttons of its notifications are called.
  package static let actions = ["VIEW_TRANSACTIONS", "VIEW_GOALS", "ADD_TRANSACTION", "VIEW_OVERVIEW"]
}

extension ABCBudgeting.NotificationType {
  /// The heading of its switch in the settings, lines 453 to 458, which is Belfry's category; achievements have it from
  /// line 110.
  package var category: String {
    switch self {
    case .transactionReminder: "Transaction Reminders"
    case .goalProgress: "Goal Progress"
    case .spendingAlert: "Spending Alerts"
    case .recurringTransaction: "Recurring Transactions"
    case .achievement: "Achievements"
    case .appEngagement: "App Engagement"
    }
  }

  /// Its switch in the settings.
  package var setting: WritableKeyPath<ABCBudgeting.NotificationSettings, Bool> {
    switch self {
    case .transactionReminder: \.transactionReminders
    case .goalProgress: \.goalProgress
    case .spendingAlert: \.spendingAlerts
    case .recurringTransaction: \.recurringTransactions
    case .achievement: \.achievements
    case .appEngagement: \.appEngagement
    }
  }
}
