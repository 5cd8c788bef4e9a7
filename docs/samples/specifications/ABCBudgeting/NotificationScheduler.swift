import Foundation

/// What is scheduled on the device.
///
/// Belfry reminds by itself: the backend starts its schedules (`daily-log-reminder`, `weekly-spending-summary`) and reports
/// `GoalUpdated` and `SpendingUpdated`. So that nothing comes twice, this schedules only what the server does not.
@MainActor
class NotificationScheduler {
  private let notificationManager: NotificationManager
  private let isServerScheduling: Bool
  private let now: () -> Date
  /// What was spent today, and what may be.
  private let today: () -> (spending: Double, budget: Double)

  init(
    notificationManager: NotificationManager,
    isServerScheduling: Bool = true,
    today: @escaping () -> (spending: Double, budget: Double) = { (0, 0) },
    now: @escaping () -> Date = { Date() }
  ) {
    self.notificationManager = notificationManager
    self.isServerScheduling = isServerScheduling
    self.today = today
    self.now = now
  }

  /// Daily at 19:00, and on Sundays at 18:00, in the user's zone.
  func scheduleTransactionReminders() {
    guard isScheduled(.transactionReminder) else { return }
    let zone = notificationManager.notificationSettings.timezone
    notificationManager.scheduleNotification(
      NotificationItem(
        title: "Log Today's Transactions",
        body: "Don't forget to log your transactions to stay on top of your budget",
        type: .transactionReminder,
        triggerDate: next(DateComponents(hour: 19, minute: 0), zone),
        isRepeating: true,
        repeatInterval: .daily
      )
    )
    notificationManager.scheduleNotification(
      NotificationItem(
        title: "Weekly Spending Summary",
        body: "Check your weekly spending and see how you're doing with your budget",
        type: .transactionReminder,
        triggerDate: next(DateComponents(hour: 18, minute: 0, weekday: 1), zone),
        isRepeating: true,
        repeatInterval: .weekly
      )
    )
  }

  /// The highest milestone that is reached, and a deadline within a week.
  func scheduleGoalProgressNotifications(for goal: GoalFormData) {
    guard isScheduled(.goalProgress) else { return }
    let progress = goal.targetAmount > 0 ? goal.currentAmount / goal.targetAmount : 0
    if let milestone = [1.0, 0.75, 0.5, 0.25].first(where: { progress >= $0 }) {
      notificationManager.scheduleNotification(
        NotificationContentGenerator.generateGoalProgressNotification(for: goal, milestone: milestone)
      )
    }
    let days = Calendar.current.dateComponents([.day], from: now(), to: goal.targetDate).day ?? 0
    guard (0...7).contains(days) else { return }
    notificationManager.scheduleNotification(
      NotificationItem(
        title: "Goal Deadline Approaching",
        body: "Your \(goal.title) goal deadline is in \(days) days",
        type: .goalProgress,
        triggerDate: now(),
        userInfo: ["goalId": goal.id, "daysUntilDeadline": days]
      )
    )
  }

  func scheduleSpendingAlerts() {
    guard isScheduled(.spendingAlert) else { return }
    let (spending, budget) = today()
    guard spending > budget else { return }
    notificationManager.scheduleNotification(
      NotificationContentGenerator.generateSpendingAlert(dailySpending: spending, dailyBudget: budget)
    )
  }

  private func isScheduled(_ type: NotificationType) -> Bool {
    let settings = notificationManager.notificationSettings
    return !isServerScheduling && settings.isEnabled && settings[keyPath: type.setting]
  }

  private func next(_ clock: DateComponents, _ zone: TimeZone) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar.nextDate(after: now(), matching: clock, matchingPolicy: .nextTime) ?? now()
  }
}
