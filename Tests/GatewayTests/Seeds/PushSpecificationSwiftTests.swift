import Foundation
import HTTPTypes
import NotificationModel
import SeedModels
import Testing

@testable import Gateway

/// The iOS app of the AllowanceTracker push specification: each call as its NotificationViewModel makes it.
@Suite struct PushSpecificationSwiftTests {
  private typealias App = AllowanceTrackerPush.Swift

  private let entity = UUID()

  /// Notifications as the app's backend sends them: about an entity with a UUID.
  private func notifications(_ count: Int, of caller: Caller, _ gateway: TestGateway) async throws -> [UUID] {
    let stored = try await gateway.store(count, for: caller.id) { $0.relatedEntityId = entity.lowercased }
    return stored.map(\.uuid)
  }

  private func encoded(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  /// Lines 1043 to 1080.
  @Test func `loadNotifications reads page after page`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await notifications(25, of: ann, gateway)
      var loaded: [App.NotificationModel] = []
      for page in 1...2 {
        let answer = try await gateway.call(.get, "/api/v1/notifications?page=\(page)&pageSize=20", as: ann).expect(.ok)
        let response = try App.read(App.NotificationListResponse.self, from: answer.body)
        loaded += response.notifications
        #expect(response.unreadCount == 25)
        #expect(response.totalCount == 25)
        #expect(response.hasMore == (page == 1))
      }
      #expect(loaded.map(\.id) == ids.reversed())
      let newest = try #require(loaded.first)
      #expect(newest.type == .allowanceDeposit)
      #expect(newest.typeName == "AllowanceDeposit")
      #expect(newest.title == "Number 25")
      #expect(newest.body == "Body")
      #expect(newest.data == #"{"amount":"$10.00"}"#)
      #expect(!newest.isRead)
      #expect(newest.readAt == nil)
      #expect(abs(newest.createdAt.timeIntervalSinceNow) < 60)
      #expect(newest.relatedEntityType == "Transaction")
      #expect(newest.relatedEntityId == entity)
      #expect(newest.timeAgo == "Just now")
    }
  }

  /// Lines 1082 to 1110. Swift writes a UUID in capitals.
  @Test func `markAsRead gets the notification back as read`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let id = try await notifications(1, of: ann, gateway)[0]
      let answer = try await gateway.call(.patch, "/api/v1/notifications/\(id)/read", as: ann).expect(.ok)
      let read = try App.read(App.NotificationModel.self, from: answer.body)
      #expect(read.id == id)
      #expect(read.isRead)
      #expect(try #require(read.readAt) >= read.createdAt)
    }
  }

  /// Lines 1112 to 1140, whose encoder leaves out what is nil; and the same request with ids.
  @Test func `markAllAsRead marks all, and ids in the same request only those`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await notifications(4, of: ann, gateway)
      for (named, count) in [([ids[1]], 1), ([], 0), (nil, 3)] as [([UUID]?, Int)] {
        let body = try encoded(App.MarkNotificationsReadRequest(notificationIds: named))
        let answer = try await gateway.call(.post, "/api/v1/notifications/read", as: ann, body: body).expect(.ok)
        #expect(try App.read([String: Int].self, from: answer.body) == ["markedCount": count])
      }
    }
  }

  /// Lines 1143 to 1149.
  @Test func `loadPreferences reads what its settings show`() async throws {
    try await TestGateway.with { gateway in
      let answer = try await gateway.call(.get, "/api/v1/notifications/preferences", as: .user()).expect(.ok)
      let preferences = try App.read(App.NotificationPreferences.self, from: answer.body)
      let types = preferences.preferences.map(\.notificationType)
      #expect(App.NotificationType.allCases.allSatisfy { types.contains($0.rawValue) })
      let deposit = try #require(preferences.preferences.first { $0.notificationType == 10 })
      #expect(deposit.typeName == "AllowanceDeposit")
      #expect(deposit.category == "Allowance")
      #expect(deposit.inAppEnabled && deposit.pushEnabled && !deposit.emailEnabled)
      #expect(!preferences.quietHoursEnabled)
    }
  }

  /// Lines 1151 to 1166, with and without a name and version.
  @Test(arguments: ["Ann’s iPhone / work", nil])
  func `registerDeviceToken gets the device back`(_ name: String?) async throws {
    try await TestGateway.with { gateway in
      let request = App.RegisterDeviceRequest(
        token: "fMEP0vJ5:APA91bH/x_y-z",
        platform: 1,
        deviceName: name,
        appVersion: name.map { _ in "1.0" }
      )
      let answer = try await gateway.call(.post, "/api/v1/devices", as: .user(), body: try encoded(request)).expect(.ok)
      let device = try App.read(App.DeviceTokenResponse.self, from: answer.body)
      #expect(device.platform == 1)
      #expect(device.deviceName == name)
      #expect(device.isActive)
    }
  }
}
