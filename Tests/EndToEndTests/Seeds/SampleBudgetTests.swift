import BelfryClient
import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

@testable import ABCBudgetingSample

extension EndToEndTests {
  /// ABC Budgeting's manager, on the running stack.
  @Suite(.serialized, .timeLimit(.minutes(4))) @MainActor struct SampleBudgetTests {
    @Test func `its settings come back as they were sent`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let manager = NotificationManager(client: try belfry.client(of: ann))
        await manager.loadNotificationSettings()
        let first = manager.notificationSettings
        #expect(manager.error == nil)
        for type in NotificationType.allCases {
          #expect(first[keyPath: type.setting] == NotificationSettings()[keyPath: type.setting], "\(type)")
        }
        var settings = first
        settings.timezone = try #require(TimeZone(identifier: "America/New_York"))
        settings.spendingAlerts = false
        settings.appEngagement = true
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = settings.timezone
        let day = Date(timeIntervalSince1970: 1_795_239_840)
        settings.quietHoursStart = calendar.date(bySettingHour: 22, minute: 0, second: 0, of: day)
        settings.quietHoursEnd = calendar.date(bySettingHour: 7, minute: 30, second: 0, of: day)
        manager.updateNotificationSettings(settings)
        await manager.saving?.value
        #expect(manager.error == nil)
        await manager.loadNotificationSettings()
        let loaded = manager.notificationSettings
        for type in NotificationType.allCases {
          #expect(loaded[keyPath: type.setting] == settings[keyPath: type.setting], "\(type)")
        }
        #expect(loaded.timezone == settings.timezone && loaded.quietHours == settings.quietHours)
      }
    }
  }
}
