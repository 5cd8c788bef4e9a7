import AppleDeclarations
import BelfryClient
import Foundation
import Testing

@testable import AllowanceTrackerRealtimeSample

extension SystemSampleTests {
  /// The managers and the settings of the specification of real-time features.
  @Suite @MainActor struct Realtime {
    private let server = ScriptedServer()

    init() {
      UNUserNotificationCenter.current().reset()
      UIApplication.shared.reset()
    }

    private func manager() throws -> NotificationManager {
      let client = try server.client()
      return NotificationManager(client: { client })
    }

    @Test func `who says yes is asked for a token, and who says no is not`() async throws {
      let manager = try manager()
      UNUserNotificationCenter.current().grants = false
      #expect(try await !manager.requestPermission())
      #expect(manager.notificationPermissionStatus == .denied && UIApplication.shared.registrations == 0)
      UNUserNotificationCenter.current().reset()
      #expect(try await manager.requestPermission())
      #expect(manager.notificationPermissionStatus == .authorized && UIApplication.shared.registrations == 1)
    }

    @Test func `the badge is what is set, and cleared with what was delivered`() async throws {
      let manager = try manager()
      manager.updateBadgeCount(5)
      #expect(manager.unreadNotificationCount == 5 && UIApplication.shared.applicationIconBadgeNumber == 5)
      try await manager.scheduleLocalNotification(title: "Test", body: "Test notification", data: ["goalId": "g-1"])
      let pending = await UNUserNotificationCenter.current().pendingNotificationRequests()
      #expect(pending.count == 1)
      #expect(pending.first?.content.userInfo["goalId"] as? String == "g-1")
      #expect((pending.first?.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 1)
      UNUserNotificationCenter.current().deliver()
      manager.clearAllNotifications()
      #expect(UNUserNotificationCenter.current().delivered.isEmpty)
      #expect(manager.unreadNotificationCount == 0 && UIApplication.shared.applicationIconBadgeNumber == 0)
    }

    @Test func `a token is registered in hex for its user, and for nobody while nobody is signed in`() async throws {
      server.answer("POST /api/v1/notifications/device-token", Answers.device)
      let user = UUID()
      try await manager().registerDeviceToken(Data([0x74, 0x0F, 0x00]), userId: user)
      let body = try #require(server.requests.first?.json)
      #expect(body["token"] as? String == "740f00" && body["platform"] as? String == "iOS")
      #expect(body["userId"] as? String == user.uuidString.lowercased())
      await #expect(throws: BelfryError.self) {
        try await NotificationManager(client: { nil }).registerDeviceToken(Data([1]), userId: user)
      }
    }

    @Test func `the background refresh reads the count of an object`() async throws {
      server.answer("GET /api/v1/notifications/unread-count", #"{"count":7,"unseen":2}"#)
      let manager = try manager()
      try await manager.refreshBadgeCount()
      #expect(manager.unreadNotificationCount == 7)
    }

    @Test(arguments: [
      (["transactionId", "childId"], Notification.Name.navigateToTransaction), (["childId"], .navigateToChild),
      (["goalId"], .navigateToGoal),
    ])
    func `a tap says where to go`(_ members: [String], _ name: Notification.Name) async throws {
      let manager = NotificationManager(client: { nil })
      manager.updateBadgeCount(2)
      let id = UUID()
      let posted = AsyncStream<UUID?>.makeStream()
      let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
        posted.continuation.yield(notification.userInfo?[members[0]] as? UUID)
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      let content = UNMutableNotificationContent()
      for member in members { content.userInfo[member] = id.uuidString }
      let response = UNNotificationResponse(
        UNNotification(UNNotificationRequest(identifier: "1", content: content, trigger: nil))
      )
      manager.userNotificationCenter(.current(), didReceive: response, withCompletionHandler: {})
      var taps = posted.stream.makeAsyncIterator()
      #expect(await taps.next() == id)
      // The tap is handled in one go on the main actor, where this test is, too.
      #expect(manager.unreadNotificationCount == 1)
    }

    @Test func `the settings show what the server has`() async throws {
      server.answer("GET /api/v1/notifications/preferences", Answers.preferences)
      let client = try server.client()
      let model = NotificationSettingsViewModel(notificationManager: try manager(), client: { client })
      await model.loadPreferences()
      #expect(model.error == nil)
      #expect(model.notificationsEnabled && model.allowanceNotifications && model.lowBalanceAlertEnabled)
      // The warning alone is on in this category.
      #expect(!model.transactionNotifications)
      #expect(!model.soundEnabled && model.badgeEnabled)
      #expect(model.lowBalanceThreshold == 12.5)
    }

    @Test func `the settings are saved in one request, the warning apart from its category`() async throws {
      server.answer("PUT /api/v1/notifications/preferences", Answers.preferences)
      let client = try server.client()
      let model = NotificationSettingsViewModel(notificationManager: try manager(), client: { client })
      model.notificationsEnabled = true
      model.transactionNotifications = false
      model.lowBalanceAlertEnabled = true
      model.lowBalanceThreshold = 25
      await model.savePreferences()
      #expect(model.error == nil && !model.isSaving)
      let body = try #require(server.requests.first?.json)
      let categories = try #require(body["categories"] as? [[String: Any]])
      #expect(categories.count == 4)
      let transactions = categories.first { $0["category"] as? String == "Balance & Transactions" }
      #expect(transactions?["pushEnabled"] as? Bool == false && transactions?["inAppEnabled"] as? Bool == false)
      let types = try #require(body["preferences"] as? [[String: Any]])
      #expect(types.map { $0["notificationType"] as? Int } == [2])
      #expect(types.first?["pushEnabled"] as? Bool == true)
      #expect((body["settings"] as? [String: Double]) == ["lowBalanceThreshold": 25])
      #expect(body["soundEnabled"] as? Bool == true && body["notificationsEnabled"] as? Bool == true)
    }

    @Test func `the dashboard lists a transaction once`() async {
      let model = DashboardViewModel()
      let event = TransactionEventDTO(
        transactionId: UUID(),
        childId: UUID(),
        amount: 25,
        type: .credit,
        description: "Test",
        balanceAfter: 125,
        createdAt: Date()
      )
      await model.handleNewTransaction(event)
      await model.handleNewTransaction(event)
      await model.handleBalanceUpdate(BalanceEventDTO(childId: event.childId, newBalance: 125, previousBalance: 100))
      #expect(model.recentTransactions.map(\.id) == [event.transactionId] && model.currentBalance == 125)
    }
  }
}
