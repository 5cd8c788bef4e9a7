extension BuiltInTextsTests {
  private static let goal = ["goalName": "vacation fund", "percent": "50"]
  private static let rent = ["name": "rent", "amount": "1200"]
  private static let spending = ["spent": "45.5", "over": "15", "budget": "30.50"]

  private static func milestone(_ code: Int, _ name: String, _ percent: String) -> Sample {
    Sample(
      code,
      name,
      "Goal Progress",
      "Goal Milestone Reached!",
      "Congratulations! You've reached \(percent)% of your vacation fund goal",
      ["goalName": "vacation fund", "percent": percent]
    )
  }

  private static func deadline(_ days: String, _ words: String) -> Sample {
    Sample(
      132,
      "SavingsGoalDeadline",
      "Goal Progress",
      "Goal Deadline Approaching",
      "Your emergency fund goal deadline is \(words)",
      ["goalName": "emergency fund", "days": days]
    )
  }

  private static func budget(_ title: String, _ body: String, _ data: [String: String]) -> Sample {
    Sample(140, "OverBudget", "Spending Alerts", title, body, data)
  }

  private static func recurring(_ code: Int, _ name: String, _ body: String, _ data: [String: String]) -> Sample {
    Sample(code, name, "Recurring Transactions", "Recurring Transactions", body, data)
  }

  private static func achievement(
    _ code: Int,
    _ name: String,
    _ body: String,
    _ data: [String: String] = [:]
  ) -> Sample {
    Sample(code, name, "Achievements", "Achievements", body, data)
  }

  private static func engagement(_ code: Int, _ name: String, _ body: String) -> Sample {
    Sample(code, name, "App Engagement", "App Engagement", body)
  }

  static let budgeting = [
    Sample(
      120,
      "DailyLogReminder",
      "Transaction Reminders",
      "Log Today's Transactions",
      "Don't forget to log your transactions to stay on top of your budget"
    ),
    Sample(
      121,
      "WeeklySpendingSummary",
      "Transaction Reminders",
      "Weekly Spending Summary",
      "Check your weekly spending and see how you're doing with your budget"
    ),
    Sample(
      122,
      "MonthlyFinancialReview",
      "Transaction Reminders",
      "Transaction Reminders",
      "Time for your monthly financial review"
    ),
    milestone(130, "SavingsGoalMilestone", "50"),
    milestone(131, "SavingsGoalCompleted", "100"),
    deadline("7", "in 7 days"),
    deadline("3", "in 3 days"),
    deadline("1", "tomorrow"),
    deadline("0", "today"),
    Sample(
      133,
      "SavingsGoalMissed",
      "Goal Progress",
      "Goal Progress",
      "You missed your goal deadline. Let's adjust your plan"
    ),
    budget(
      "Daily Budget Exceeded",
      "You've spent $45.50 today, exceeding your budget by $15.00",
      spending.merging(["period": "day"]) { $1 }
    ),
    budget("Spending Alerts", "Your weekly spending is 20% over budget", ["period": "week", "overPercent": "20"]),
    budget(
      "Spending Alerts",
      "Your monthly spending is 12.5% over budget",
      ["period": "month", "overPercent": "12.50"]
    ),
    budget("Spending Alerts", "Your weekly spending is over budget", ["period": "week"]),
    Sample(
      141,
      "LargeTransaction",
      "Spending Alerts",
      "Spending Alerts",
      "Large transaction detected: $500 at Electronics Store",
      ["amount": "500", "merchant": "Electronics Store"]
    ),
    recurring(
      150,
      "RecurringTransactionCreated",
      "New recurring transaction: Netflix $15/month",
      ["name": "Netflix", "amount": "15", "interval": "month"]
    ),
    recurring(
      151,
      "RecurringTransactionDue",
      "Your rent payment of $1,200 is due tomorrow",
      rent.merging(["days": "1"]) { $1 }
    ),
    recurring(
      152,
      "RecurringTransactionOverdue",
      "Your gym membership payment is overdue",
      ["name": "gym membership"]
    ),
    achievement(160, "FirstTransaction", "Great job! You've logged your first transaction"),
    achievement(161, "FirstGoalCreated", "Great job! You've created your first goal"),
    achievement(
      162,
      "FirstGoalCompleted",
      "Congratulations! You've completed your emergency fund goal",
      ["goalName": "emergency fund"]
    ),
    achievement(
      163,
      "LoggingStreak",
      "Amazing! You've logged transactions for 30 days straight",
      ["streak": "30"]
    ),
    achievement(
      164,
      "SpendingReduced",
      "Great job! You've reduced your food spending by 20%",
      ["category": "food", "percent": "20"]
    ),
    engagement(170, "MissYou", "We miss you! Check your financial progress"),
    engagement(171, "NothingLogged", "Don't forget to log your recent transactions"),
    engagement(172, "GoalsNotViewed", "How are your savings goals coming along?"),
  ]
}
