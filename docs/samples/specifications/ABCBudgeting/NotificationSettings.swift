import BelfryClient
import Foundation

struct NotificationSettings: Codable, Equatable, Sendable {
  var isEnabled: Bool = true
  var transactionReminders: Bool = true
  var goalProgress: Bool = true
  var spendingAlerts: Bool = true
  var recurringTransactions: Bool = true
  var achievements: Bool = true
  var appEngagement: Bool = false
  var quietHoursStart: Date?
  var quietHoursEnd: Date?
  var timezone: TimeZone = TimeZone.current
}

extension NotificationType {
  /// The heading of its switch, which is also Belfry's category.
  var category: String {
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
  var setting: WritableKeyPath<NotificationSettings, Bool> {
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

extension NotificationSettings {
  /// What the server has.
  init(_ preferences: Preferences) {
    self.init()
    isEnabled = preferences.notificationsEnabled
    for type in NotificationType.allCases {
      guard let category = preferences.categories.first(where: { $0.category == type.category }) else { continue }
      self[keyPath: type.setting] = category.switches.inApp || category.switches.push
    }
    timezone = TimeZone(identifier: preferences.effectiveTimezone) ?? .current
    guard preferences.quietHoursEnabled else { return }
    quietHoursStart = preferences.quietHoursStart.flatMap(today)
    quietHoursEnd = preferences.quietHoursEnd.flatMap(today)
  }

  /// The switches and the zone.
  var update: PreferencesUpdate {
    var update = PreferencesUpdate()
    update.notificationsEnabled = isEnabled
    for type in NotificationType.allCases {
      let isOn = self[keyPath: type.setting]
      update.categories[type.category] = PreferencesUpdate.Switches(inApp: isOn, push: isOn)
    }
    update.timezone = .set(timezone.identifier)
    return update
  }

  /// On if both times are set and differ: what counts is what the clocks in the zone show.
  var quietHours: QuietHoursUpdate {
    guard let start = quietHoursStart.map(clock), let end = quietHoursEnd.map(clock), start != end else {
      return QuietHoursUpdate(isEnabled: false)
    }
    return QuietHoursUpdate(isEnabled: true, start: start, end: end)
  }

  private var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timezone
    return calendar
  }

  private func clock(_ date: Date) -> String {
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    return String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0)
  }

  /// The instant of today at which the clocks show this, `HH:mm:ss`.
  private func today(_ clock: String) -> Date? {
    let parts = clock.split(separator: ":").compactMap { Int($0) }
    guard parts.count >= 2 else { return nil }
    return calendar.date(bySettingHour: parts[0], minute: parts[1], second: 0, of: Date())
  }
}
