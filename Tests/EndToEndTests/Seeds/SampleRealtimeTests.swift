import AppleDeclarations
import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

@testable import AllowanceTrackerRealtimeSample

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

extension EndToEndTests {
  /// The sample of the specification of real-time features, on a real hub.
  @Suite(.serialized, .timeLimit(.minutes(4))) @MainActor struct SampleRealtimeTests {
    /// What the five publishers have sent.
    private final class Published {
      var transactions: [TransactionEventDTO] = []
      var allowances: [AllowanceEventDTO] = []
      var chores: [ChoreEventDTO] = []
      var goals: [GoalEventDTO] = []
      var balances: [BalanceEventDTO] = []
      private var cancellables: Set<AnyCancellable> = []

      @MainActor
      init(_ manager: SignalRManager) {
        manager.transactionCreatedPublisher.sink { [unowned self] in transactions.append($0) }.store(in: &cancellables)
        manager.allowancePaidPublisher.sink { [unowned self] in allowances.append($0) }.store(in: &cancellables)
        manager.choreApprovedPublisher.sink { [unowned self] in chores.append($0) }.store(in: &cancellables)
        manager.goalReachedPublisher.sink { [unowned self] in goals.append($0) }.store(in: &cancellables)
        manager.balanceUpdatedPublisher.sink { [unowned self] in balances.append($0) }.store(in: &cancellables)
      }
    }

    @Test func `each of the five publishers sends the event of its name`() async throws {
      UNUserNotificationCenter.current().reset()
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let manager = SignalRManager(makeClient: { try belfry.client(token: $0, path: "/hub/family") })
        try await manager.connect(withToken: ann.token)
        #expect(manager.connectionState == .connected)
        let published = Published(manager)
        let id = UUID()
        let at = #""2026-11-21T05:44:10.2551234Z""#
        let ids = #""childId":"\#(id.lowercased)""#
        try await belfry.report(
          "TransactionCreated",
          #"{"transactionId":"\#(id.lowercased)",\#(ids),"amount":25.00,"type":"Debit","description":"Café","#
            + #""balanceAfter":125.5,"createdAt":\#(at)}"#,
          to: ann
        )
        try await belfry.report(
          "AllowancePaid",
          #"{\#(ids),"childName":"Mia","amount":10,"newBalance":47.25,"previousBalance":37.25,"paidAt":\#(at)}"#,
          to: ann
        )
        try await belfry.report(
          "ChoreApproved",
          #"{"choreId":"\#(id.lowercased)",\#(ids),"choreName":"Dishes","amount":2.5,"approvedBy":"Ann","#
            + #""approvedAt":\#(at)}"#,
          to: ann
        )
        try await belfry.report(
          "GoalReached",
          #"{"goalId":"\#(id.lowercased)",\#(ids),"goalName":"Bike","goalPrice":99.99,"currentBalance":100,"#
            + #""achievedAt":\#(at)}"#,
          to: ann
        )
        try await belfry.report("BalanceUpdated", #"{\#(ids),"newBalance":41,"previousBalance":47.25}"#, to: ann)
        try await eventually("all arrived") {
          // A payment is a new balance, too.
          published.transactions.count == 1 && published.allowances.count == 1 && published.chores.count == 1
            && published.goals.count == 1 && published.balances.count == 2
        }
        let transaction = try #require(published.transactions.first)
        #expect(transaction.transactionId == id && transaction.amount == 25 && transaction.type == .debit)
        #expect(abs(transaction.createdAt.timeIntervalSince1970 - 1_795_239_850.255) < 0.001)
        #expect(published.allowances.first?.childName == "Mia")
        #expect(published.chores.first?.choreName == "Dishes")
        #expect(published.goals.first?.goalPrice == Decimal(string: "99.99"))
        #expect(Set(published.balances.map(\.newBalance)) == [Decimal(string: "47.25"), 41])
        try await eventually("each is shown but the balance") { UNUserNotificationCenter.current().pending.count == 4 }
        let shown = UNUserNotificationCenter.current().pending.map(\.content.body)
        #expect(
          Set(shown) == [
            "$25.00 debit", "You received $10.00", "You earned $2.50 for Dishes",
            "You saved enough for Bike! Balance: $100.00",
          ]
        )
        await manager.disconnect()
        #expect(manager.connectionState == .disconnected && manager.client == nil)
      }
    }

    @Test func `a refused token is thrown, and another one connects`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let manager = SignalRManager(makeClient: { try belfry.client(token: $0, path: "/hub/family") })
        await #expect(throws: (any Error).self) { try await manager.connect(withToken: "no.such.token") }
        #expect(manager.connectionState == .disconnected && manager.lastError != nil && manager.client == nil)
        await manager.reconnect(withToken: ann.token)
        #expect(manager.connectionState == .connected)
        // Connected already: nothing changes.
        try await manager.connect(withToken: "no.such.token")
        #expect(manager.connectionState == .connected)
        await manager.disconnect()
      }
    }

    @Test func `its settings are loaded and saved`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let client = try belfry.client(of: ann)
        let manager = NotificationManager(client: { client })
        let model = NotificationSettingsViewModel(notificationManager: manager, client: { client })
        await model.loadPreferences()
        #expect(model.error == nil && model.notificationsEnabled && model.goalNotifications)
        model.goalNotifications = false
        model.soundEnabled = false
        model.lowBalanceThreshold = 12.5
        await model.savePreferences()
        #expect(model.error == nil)
        let other = NotificationSettingsViewModel(notificationManager: manager, client: { client })
        await other.loadPreferences()
        #expect(!other.goalNotifications && other.transactionNotifications && !other.soundEnabled)
        #expect(other.lowBalanceAlertEnabled && other.lowBalanceThreshold == 12.5)
        try await manager.registerDeviceToken(Data((0..<32).map { UInt8($0) }), userId: ann.id.uuid)
        try await manager.refreshBadgeCount()
        #expect(manager.unreadNotificationCount == 0)
      }
    }
  }
}
