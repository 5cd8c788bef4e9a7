import Foundation
import HTTPTypes
import NotificationModel
import SeedModels
import Testing

@testable import Gateway

/// The endpoints of the AllowanceTracker push specification, lines 280 to 412, called as .NET does: every member of a record is
/// written, null where there is none, what is not ASCII escaped, the charset named.
@Suite struct PushSpecificationServerTests {
  private typealias Dto = AllowanceTrackerPush.Server

  private let path = "/api/v1/notifications"
  private let json: HTTPFields = [.contentType: "application/json; charset=utf-8"]

  /// Lines 283 to 293, with all of its query parameters.
  @Test func `the list takes its parameters and answers NotificationListDto`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let id = try await gateway.store(1, for: ann.id) { $0.relatedEntityId = nil }[0]
      let query = "?page=1&pageSize=50&unreadOnly=True&type=10"
      let list = try Dto.read(
        Dto.NotificationListDto.self,
        from: try await gateway.call(.get, path + query, as: ann).expect(.ok).body
      )
      #expect(list.notifications.map(\.id) == [id.uuid])
      #expect(list.notifications.first?.relatedEntityId == nil)
      #expect(list.totalCount == 1 && list.unreadCount == 1 && !list.hasMore)
    }
  }

  /// Lines 297 to 309.
  @Test func `the unread count is UnreadCountDto, and one notification NotificationDto`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let id = try await gateway.store(1, for: ann.id) { $0.relatedEntityId = UUID().lowercased }[0]
      let count = try await gateway.call(.get, "\(path)/unread-count", as: ann).expect(.ok)
      #expect(try Dto.read(Dto.UnreadCountDto.self, from: count.body).count == 1)
      let one = try await gateway.call(.get, "\(path)/\(id)", as: ann).expect(.ok)
      #expect(try Dto.read(Dto.NotificationDto.self, from: one.body).type == 10)
    }
  }

  /// Lines 330 to 343.
  @Test func `one is deleted without a word, and the read ones with their count`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(4, for: ann.id) { $0.relatedEntityId = nil }
      let one = try await gateway.call(.delete, "\(path)/\(ids[0])", as: ann).expect(.noContent)
      #expect(one.body.isEmpty)
      for id in ids[1...2] { try await _ = gateway.call(.patch, "\(path)/\(id)/read", as: ann).expect(.ok) }
      #expect(try await gateway.call(.delete, path, as: ann).expect(.ok).json()["deletedCount"] as? Int == 2)
      let list = try Dto.read(Dto.NotificationListDto.self, from: try await gateway.call(.get, path, as: ann).body)
      #expect(list.notifications.map(\.id) == [ids[3].uuid])
    }
  }

  /// Lines 321 to 326; MarkNotificationsReadDto in lines 209 to 211.
  @Test func `ids of MarkNotificationsReadDto mark those, and null all`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let ids = try await gateway.store(4, for: ann.id)
      for (list, count) in [("[\"\(ids[2])\"]", 1), ("[]", 0), ("null", 3)] {
        let body = "{\"notificationIds\":\(list)}"
        let answer = try await gateway.call(.post, "\(path)/read", as: ann, headers: json, body: body).expect(.ok)
        #expect(answer.text == "{\"markedCount\":\(count)}")
      }
    }
  }

  /// Lines 356 to 361; UpdateNotificationPreferencesDto in lines 190 to 199.
  @Test func `preferences are put as UpdateNotificationPreferencesDto, or as they were answered`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let item = #"{"notificationType":1,"inAppEnabled":true,"pushEnabled":false,"emailEnabled":true}"#
      let body = "{\"preferences\":[\(item)]}"
      let answer = try await gateway.call(.put, "\(path)/preferences", as: ann, headers: json, body: body).expect(.ok)
      let preferences = try Dto.read(Dto.NotificationPreferencesDto.self, from: answer.body)
      let changed = try #require(preferences.preferences.first { $0.notificationType == 1 })
      #expect(changed.typeName == "BalanceAlert" && changed.category == "Balance & Transactions")
      #expect(changed.inAppEnabled && !changed.pushEnabled && changed.emailEnabled)
      #expect(preferences.quietHoursStart == nil && preferences.quietHoursEnd == nil)
      let whole = try await gateway.call(.put, "\(path)/preferences", as: ann, headers: json, body: answer.text)
      #expect(
        try Dto.read(Dto.NotificationPreferencesDto.self, from: whole.body).preferences == preferences.preferences
      )
    }
  }

  /// Lines 365 to 370; UpdateQuietHoursDto in lines 202 to 206. .NET writes a `TimeOnly` as `HH:mm:ss`.
  @Test func `quiet hours are put as UpdateQuietHoursDto`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      func put(_ body: String) async throws -> Dto.NotificationPreferencesDto {
        let answer = try await gateway.call(.put, "\(path)/preferences/quiet-hours", as: ann, headers: json, body: body)
        return try Dto.read(from: try answer.expect(.ok).body)
      }
      let on = try await put(#"{"enabled":true,"startTime":"22:00:00","endTime":"07:00:00"}"#)
      #expect(on.quietHoursEnabled && on.quietHoursStart == "22:00:00" && on.quietHoursEnd == "07:00:00")
      #expect(on.preferences.count == (try TestGateway.catalogue.get().types.count))
      let off = try await put(#"{"enabled":false,"startTime":null,"endTime":null}"#)
      #expect(!off.quietHoursEnabled && off.quietHoursStart == "22:00:00")
      let again = try await put(#"{"enabled":true,"startTime":null,"endTime":null}"#)
      #expect(again.quietHoursEnabled && again.quietHoursEnd == "07:00:00")
    }
  }

  /// Lines 376 to 394; RegisterDeviceDto in lines 182 to 187.
  @Test func `devices are registered as RegisterDeviceDto and listed as DeviceTokenDto`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      var devices: [Dto.DeviceTokenDto] = []
      for body in [
        #"{"token":"one","platform":1,"deviceName":"Ann\u2019s iPhone \uD83D\uDCF1","appVersion":"1.0\u002B7"}"#,
        #"{"token":"two","platform":3,"deviceName":null,"appVersion":null}"#,
      ] {
        let answer = try await gateway.call(.post, "/api/v1/devices", as: ann, headers: json, body: body).expect(.ok)
        devices.append(try Dto.read(from: answer.body))
      }
      #expect(devices.map(\.deviceName) == ["Ann’s iPhone 📱", nil])
      let list = try await gateway.call(.get, "/api/v1/devices", as: ann).expect(.ok)
      #expect(try Dto.read([Dto.DeviceTokenDto].self, from: list.body) == devices.reversed())
    }
  }
}
