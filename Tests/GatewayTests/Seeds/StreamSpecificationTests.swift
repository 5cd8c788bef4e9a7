import Foundation
import HTTPTypes
import NotificationModel
import SeedModels
import Testing

@testable import Gateway

/// The client of LifeSignal: each call of its `NotificationClientProtocol`, lines 56 to 86.
@Suite struct StreamSpecificationTests {
  private typealias App = LifeSignal

  private let path = "/api/v1/notifications"

  /// One notification of each filter, the oldest first.
  private static let types: [(code: Int, filter: App.NotificationType)] = [
    (200, .alert), (210, .ping), (220, .role), (230, .removed), (240, .added), (250, .checkIn),
  ]

  @discardableResult
  private func storeOneOfEach(for caller: Caller, _ gateway: TestGateway) async throws -> [String] {
    var ids: [String] = []
    for (code, _) in Self.types {
      let stored = try await gateway.store(1, for: caller.id, type: code) {
        $0.data = ["contactId": "c-1", "alertId": "a-2", "pingId": "p-3"]
      }
      ids += stored.map(\.description)
    }
    return ids
  }

  private func history(_ query: String, _ caller: Caller, _ gateway: TestGateway) async throws -> App.History {
    let answer = try await gateway.call(.get, "\(path)?\(query)", as: caller).expect(.ok)
    return try App.read(App.History.self, from: answer.body)
  }

  /// Lines 60 to 61, with the limit of line 337.
  @Test func `getNotifications reads each of its types, the newest first`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await storeOneOfEach(for: ann, gateway)
      let history = try await history("pageSize=50", ann, gateway)
      #expect(Set(history.notifications.map(\.id)) == Set(ids))
      #expect(history.notifications.map(\.timestamp) == history.notifications.map(\.timestamp).sorted(by: >))
      for (id, type) in zip(ids, Self.types) {
        let notification = try #require(history.notifications.first { $0.id == id })
        #expect(notification.type == type.filter)
        #expect(notification.title == "Number 1" && notification.message == "Body")
        #expect(abs(notification.timestamp.timeIntervalSinceNow) < 60)
        #expect(!notification.isRead)
        #expect(notification.relatedContactID == "c-1")
        #expect(notification.relatedAlertID == "a-2" && notification.relatedPingID == "p-3")
      }
      #expect(history.unreadCount == 6)
    }
  }

  /// Lines 143 to 160: its filters are categories, but for the one that is all.
  @Test func `each filter is a category, and unread ones can be asked for`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await storeOneOfEach(for: ann, gateway)
      for filter in App.NotificationType.allCases where filter != .all {
        let name = try #require(filter.rawValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let shown = try await history("pageSize=50&category=\(name)", ann, gateway)
        #expect(shown.notifications.map(\.type) == [filter])
      }
      _ = try await gateway.call(.patch, "\(path)/\(ids[0])/read", as: ann).expect(.ok)
      let unread = try await history("pageSize=50&unreadOnly=true", ann, gateway)
      #expect(Set(unread.notifications.map(\.id)) == Set(ids.dropFirst()))
    }
  }

  /// Lines 63 to 70.
  @Test func `markAsRead, markAllAsRead and deleteNotification are seen in the next history`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await storeOneOfEach(for: ann, gateway)
      let answer = try await gateway.call(.patch, "\(path)/\(ids[1])/read", as: ann).expect(.ok)
      #expect(try App.read(App.NotificationData.self, from: answer.body).isRead)
      _ = try await gateway.call(.delete, "\(path)/\(ids[2])", as: ann).expect(.noContent)
      var shown = try await history("pageSize=50", ann, gateway)
      #expect(shown.notifications.count == 5 && shown.unreadCount == 4)
      #expect(shown.notifications.first { $0.id == ids[1] }?.isRead == true)
      _ = try await gateway.call(.post, "\(path)/read", as: ann).expect(.ok)
      shown = try await history("pageSize=50", ann, gateway)
      let isAllRead = shown.notifications.allSatisfy(\.isRead)
      #expect(isAllRead && shown.unreadCount == 0)
    }
  }

  /// Lines 75 to 76 and 84 to 85: the token of APNs, and that of FCM.
  @Test func `both of its tokens are registered, and are one installation`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let token = Data((0..<32).map { UInt8($0 * 7) }).map { String(format: "%02x", $0) }.joined()
      let installation = #""installationId":"\#(UUID())""#
      let native = #"{"userId":"\#(ann.id)","token":"\#(token)","platform":"iOS",\#(installation)}"#
      _ = try await gateway.call(.post, "\(path)/device-token", as: ann, body: native).expect(.ok)
      let firebase = #"{"token":"fMEP0vJ5:APA91bH","platform":1,\#(installation)}"#
      _ = try await gateway.call(.post, "/api/v1/devices", as: ann, body: firebase).expect(.ok)
      let answer = try await gateway.call(.get, "/api/v1/devices", as: ann).expect(.ok)
      let devices = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [[String: Any]])
      #expect(Set(devices.compactMap { $0["kind"] as? String }) == ["apns", "fcm"])
      #expect(devices.allSatisfy { $0["isActive"] as? Bool == true })
    }
  }
}
