import BelfryClient
import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

@testable import AllowanceTrackerPushSample

extension EndToEndTests {
  /// The sample of the push specification, on the running stack.
  @Suite(.serialized, .timeLimit(.minutes(4))) @MainActor struct SamplePushTests {
    @Test func `its view model pages, reads, and follows what happens elsewhere`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        // A type that the specification's model knows.
        let body = #"{"to":{"users":["\#(ann.id)"]},"type":10,"data":{"amount":"$5.00","balance":"$47.00"}}"#
        for _ in 0..<25 { _ = try await belfry.send(body).expect(202) }
        try await eventually("they are stored") { try await belfry.unreadCount(of: ann) == 25 }
        let token = ann.token
        let model = NotificationViewModel(
          apiService: APIService(baseURL: belfry.stack.gatewayURL, token: { _ in token })
        )
        await model.loadNotifications()
        #expect(model.errorMessage == nil && model.notifications.count == 20 && model.hasMore)
        await model.loadNotifications()
        #expect(model.notifications.count == 25 && !model.hasMore && model.unreadCount == 25)
        await model.markAsRead(try #require(model.notifications.last))
        #expect(model.unreadCount == 24 && model.notifications.last?.isRead == true)

        let client = try belfry.client(of: ann)
        let following = Task { await model.follow(client) }
        await client.connect()
        _ = try await belfry.send(body).expect(202)
        try await eventually("it is the first of the list") {
          model.notifications.count == 26 && model.unreadCount == 25
        }
        let newest = try #require(model.notifications.first)
        let path = "/api/v1/notifications/\(newest.id.lowercased)/read"
        _ = try await belfry.call("PATCH", path, token: ann.token).expect(200)
        try await eventually("it is shown as read") {
          model.notifications.first?.isRead == true && model.unreadCount == 24
        }
        await model.markAllAsRead()
        try await eventually("the client knows, too") { model.unreadCount == 0 }
        let isAllRead = model.notifications.allSatisfy(\.isRead)
        #expect(isAllRead)
        await client.signOut()
        await following.value
      }
    }

    @Test func `its preferences and its device are taken`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let token = ann.token
        let model = NotificationViewModel(
          apiService: APIService(baseURL: belfry.stack.gatewayURL, token: { _ in token })
        )
        await model.loadPreferences()
        let types = try #require(model.preferences?.preferences.map(\.notificationType))
        #expect(NotificationType.allCases.allSatisfy { types.contains($0.rawValue) })
        await model.registerDeviceToken("sample-\(UUID())")
        #expect(model.errorMessage == nil)
        let client = try belfry.client(of: ann)
        #expect(try await client.rest.listDevices().map(\.isActive) == [true])
        await client.signOut()
      }
    }
  }
}
