import AppleDeclarations
import BelfryClient
import Foundation
import Testing

@testable import ABCBudgetingSample

extension SystemSampleTests {
  /// The managers of ABC Budgeting.
  @Suite @MainActor struct Budget {
    private let server = ScriptedServer()
    private let manager: NotificationManager
    private let path = "/api/v1/notifications/preferences"

    init() throws {
      UNUserNotificationCenter.current().reset()
      manager = NotificationManager(client: try server.client())
    }

    @Test func `the settings are the server's`() async throws {
      server.answer("GET \(path)", Answers.preferences)
      await manager.loadNotificationSettings()
      let settings = manager.notificationSettings
      #expect(manager.error == nil && settings.isEnabled)
      // Mails have no switch here.
      #expect(!settings.spendingAlerts && settings.appEngagement)
      #expect(settings.timezone.identifier == "Europe/Berlin")
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = settings.timezone
      let start = calendar.dateComponents([.hour, .minute], from: try #require(settings.quietHoursStart))
      let end = calendar.dateComponents([.hour, .minute], from: try #require(settings.quietHoursEnd))
      #expect(start.hour == 22 && start.minute == 0 && end.hour == 7 && end.minute == 30)
      // Back as they came.
      #expect(settings.quietHours == QuietHoursUpdate(isEnabled: true, start: "22:00", end: "07:30"))
    }

    @Test func `each switch is sent as its category, the last change last`() async throws {
      server.answer("PUT \(path)", Answers.preferences)
      server.answer("PUT \(path)/quiet-hours", Answers.preferences)
      var settings = NotificationSettings()
      settings.timezone = try #require(TimeZone(identifier: "Europe/Berlin"))
      manager.updateNotificationSettings(settings)
      settings.goalProgress = false
      manager.updateNotificationSettings(settings)
      #expect(manager.notificationSettings == settings)
      await manager.saving?.value
      #expect(manager.error == nil)
      let sent = server.requests("PUT \(path)").map(\.json)
      #expect(sent.count == 2)
      let categories = try #require(sent.last?["categories"] as? [[String: Any]])
      #expect(categories.count == NotificationType.allCases.count)
      for category in categories {
        let type = try #require(NotificationType.allCases.first { $0.category == category["category"] as? String })
        #expect(category["pushEnabled"] as? Bool == settings[keyPath: type.setting], "\(type)")
      }
      #expect(sent.last?["timezone"] as? String == "Europe/Berlin")
      #expect(server.requests("PUT \(path)/quiet-hours").last?.json["enabled"] as? Bool == false)
    }

    private func scheduler(isServerScheduling: Bool, spending: Double = 0) -> NotificationScheduler {
      NotificationScheduler(
        notificationManager: manager,
        isServerScheduling: isServerScheduling,
        today: { (spending, 50) },
        now: { Date(timeIntervalSince1970: 1_795_239_840) }
      )
    }

    /// The system takes what is scheduled on the main actor, after what runs there now.
    private func pending(_ count: Int) async -> [UNNotificationRequest] {
      for _ in 0..<1_000 where UNUserNotificationCenter.current().pending.count < count { await Task.yield() }
      return UNUserNotificationCenter.current().pending
    }

    @Test func `reminders repeat by the clock, daily and on Sundays`() async throws {
      manager.notificationSettings.timezone = try #require(TimeZone(identifier: "Europe/Berlin"))
      scheduler(isServerScheduling: false).scheduleTransactionReminders()
      let triggers = await pending(2).compactMap { $0.trigger as? UNCalendarNotificationTrigger }
      #expect(triggers.map(\.dateComponents.hour) == [19, 18])
      #expect(triggers.map(\.dateComponents.weekday) == [nil, 1])
      #expect(triggers.map(\.repeats) == [true, true])
    }

    @Test func `nothing is scheduled that the server sends, or that is switched off`() async {
      for (server, isOn) in [(true, true), (false, false)] {
        manager.notificationSettings.transactionReminders = isOn
        manager.notificationSettings.spendingAlerts = isOn
        let scheduler = scheduler(isServerScheduling: server, spending: 60)
        scheduler.scheduleTransactionReminders()
        scheduler.scheduleSpendingAlerts()
      }
      // This one comes after whatever came before it.
      manager.notificationSettings.spendingAlerts = true
      scheduler(isServerScheduling: false, spending: 62.5).scheduleSpendingAlerts()
      #expect(
        await pending(1).map(\.content.body) == ["You've spent $62.50 today, exceeding your budget by $12.50"]
      )
    }

    @Test func `a goal shows its highest milestone and its deadline`() async {
      let goal = GoalFormData(
        id: "g-1",
        title: "Bike",
        currentAmount: 80,
        targetAmount: 100,
        targetDate: Date(timeIntervalSince1970: 1_795_239_840 + 3 * 86_400)
      )
      scheduler(isServerScheduling: false).scheduleGoalProgressNotifications(for: goal)
      #expect(
        await pending(2).map(\.content.body) == [
          "Congratulations! You've reached 75% of your Bike goal", "Your Bike goal deadline is in 3 days",
        ]
      )
    }

    @Test(arguments: [
      ("VIEW_TRANSACTIONS", Notification.Name.navigateToTransactions), ("VIEW_GOALS", .navigateToGoals),
      ("ADD_TRANSACTION", .navigateToAddTransaction), ("VIEW_OVERVIEW", .navigateToOverview),
    ])
    func `a button leads to its tab`(_ action: String, _ name: Notification.Name) async {
      let posted = AsyncStream<Void>.makeStream()
      let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
        posted.continuation.yield()
        posted.continuation.finish()
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      let request = UNNotificationRequest(identifier: "1", content: UNNotificationContent(), trigger: nil)
      NotificationActionHandler.handleNotificationAction(
        UNNotificationResponse(UNNotification(request), actionIdentifier: action)
      )
      var count = 0
      for await _ in posted.stream { count += 1 }
      #expect(count == 1)
    }

    @Test func `a permission is asked for, kept, and counted`() async {
      var tracked: [String] = []
      NotificationAnalytics.track = { event, _ in tracked.append(event) }
      defer { NotificationAnalytics.track = { _, _ in } }
      let permission = NotificationPermissionManager()
      #expect(await permission.requestPermission())
      #expect(permission.authorizationStatus == .authorized && !permission.isRequestingPermission)
      #expect(tracked == ["notification_permission_requested", "notification_permission_granted"])
    }
  }
}
