import Foundation
import HTTPTypes
import NotificationModel
import SeedModels
import Testing

@testable import Gateway

/// The web page of the AllowanceTracker push specification: each call as its `useNotifications` makes it.
@Suite struct PushSpecificationReactTests {
  private typealias Page = AllowanceTrackerPush.React

  /// Lines 1529 to 1555. `new Date` reads the times in every browser: they have ECMAScript's own form.
  @Test func `loadNotifications reads what the page shows`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(21, for: ann.id)
      let answer = try await gateway.call(.get, "/api/v1/notifications?page=1&pageSize=20", as: ann).expect(.ok)
      let response = try Page.read(Page.NotificationListResponse.self, from: answer.body)
      #expect(response.notifications.map(\.id) == ids.dropFirst().map(\.description).reversed())
      #expect(response.unreadCount == 21)
      #expect(response.hasMore)
      let form = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/
      #expect(response.notifications.allSatisfy { $0.createdAt.wholeMatch(of: form) != nil })
      let data = try #require(response.notifications.first?.data)
      #expect(try Page.read([String: String].self, from: Data(data.utf8)) == ["amount": "$10.00"])
    }
  }

  /// Lines 1557 to 1569: a PATCH without a body.
  @Test func `markAsRead marks the one`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(2, for: ann.id)
      _ = try await gateway.call(.patch, "/api/v1/notifications/\(ids[0])/read", as: ann).expect(.ok)
      #expect(try await unreadCount(of: ann, gateway) == 1)
    }
  }

  /// Lines 1571 to 1579.
  @Test func `markAllAsRead sends null for the ids`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await gateway.store(3, for: ann.id)
      let body = #"{"notificationIds":null}"#
      _ = try await gateway.call(.post, "/api/v1/notifications/read", as: ann, body: body).expect(.ok)
      #expect(try await unreadCount(of: ann, gateway) == 0)
    }
  }

  private func unreadCount(of caller: Caller, _ gateway: TestGateway) async throws -> Int {
    let list = try await gateway.call(.get, "/api/v1/notifications?page=1&pageSize=20", as: caller).expect(.ok)
    return try Page.read(Page.NotificationListResponse.self, from: list.body).unreadCount
  }
}
