import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Postgres
import SeedModels
import Testing

/// The iOS app of the AllowanceTracker real-time specification: its calls, and where Belfry answers otherwise than it expects.
@Suite struct RealtimeSpecificationTests {
  private struct UnreadCount: Decodable {
    let count: Int
  }

  /// Line 750 reads a bare number, and no server for it is given. Belfry answers as the push specification's does, line 297.
  @Test func `the unread count is an object, of which the app has to read the count`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      try await gateway.store(2, for: ann.id)
      let answer = try await gateway.call(.get, "/api/v1/notifications/unread-count", as: ann).expect(.ok)
      #expect(throws: DecodingError.self) { try AllowanceTrackerRealtime.read(Int.self, from: answer.body) }
      #expect(try AllowanceTrackerRealtime.read(UnreadCount.self, from: answer.body).count == 2)
    }
  }

  private typealias App = AllowanceTrackerRealtime

  private let path = "/api/v1/notification-preferences"

  private func load(_ caller: Caller, _ gateway: TestGateway) async throws -> App.NotificationPreferencesDTO {
    let answer = try await gateway.call(.get, path, as: caller).expect(.ok)
    return try App.read(App.NotificationPreferencesDTO.self, from: answer.body)
  }

  /// Lines 589 to 609, as its encoder writes it: what is nil is left out.
  private func save(_ dto: App.UpdateNotificationPreferencesDTO, _ caller: Caller, _ gateway: TestGateway) async throws
  {
    let body = String(decoding: try JSONEncoder().encode(dto), as: UTF8.self)
    _ = try await gateway.call(.put, path, as: caller, body: body).expect(.ok)
  }

  /// Lines 573 to 587: everything is on at first, and the threshold 10.
  @Test func `loadPreferences reads what its settings show`() async throws {
    try await TestGateway.with { gateway in
      let preferences = try await load(.user(), gateway)
      #expect(preferences.inAppEnabled && preferences.inAppTransactions && preferences.inAppAllowance)
      #expect(preferences.inAppChores && preferences.inAppGoals && preferences.lowBalanceNotifications)
      #expect(preferences.lowBalanceThreshold == 10)
    }
  }

  @Test func `savePreferences is seen by the app, and by the preferences per type`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      var dto = App.UpdateNotificationPreferencesDTO(
        inAppEnabled: true,
        inAppTransactions: true,
        inAppAllowance: false,
        inAppChores: true,
        inAppGoals: true,
        lowBalanceNotifications: true,
        lowBalanceThreshold: Decimal(string: "12.34")
      )
      try await save(dto, ann, gateway)
      var loaded = try await load(ann, gateway)
      #expect(!loaded.inAppAllowance && loaded.inAppTransactions)
      #expect(loaded.lowBalanceThreshold == Decimal(string: "12.34"))
      let fine = try await gateway.call(.get, "/api/v1/notifications/preferences", as: ann).expect(.ok)
      for item in try fine.list("preferences") where item["category"] as? String == "Allowance" {
        #expect(item["inAppEnabled"] as? Bool == false && item["pushEnabled"] as? Bool == false)
      }
      // It sends no threshold when the warnings are off; the former is there when they are on again.
      (dto.lowBalanceNotifications, dto.lowBalanceThreshold, dto.inAppEnabled) = (false, nil, false)
      try await save(dto, ann, gateway)
      loaded = try await load(ann, gateway)
      #expect(!loaded.lowBalanceNotifications && !loaded.inAppEnabled && loaded.inAppTransactions)
      #expect(loaded.lowBalanceThreshold == Decimal(string: "12.34"))
      let stored = try await SettingsStore(client: gateway.database).settings(of: ann.id)
      #expect(Set(stored.rows.types.keys) == [2] && Set(stored.rows.categories.keys) == ["Allowance"])
    }
  }

  /// Lines 339 to 343: it only wants to be let through.
  @Test func `registerDeviceToken registers a device of APNs`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let dto = App.DeviceTokenDTO(userId: ann.id.uuid, token: Data((0..<32).map { UInt8($0 * 8) }))
      // As Foundation writes it, with the id in upper case.
      let body = String(decoding: try JSONEncoder().encode(dto), as: UTF8.self)
      for _ in 1...2 {
        _ = try await gateway.call(.post, "/api/v1/notifications/device-token", as: ann, body: body).expect(.ok)
      }
      let rows = try await gateway.database.query("SELECT token, platform FROM devices WHERE user_id = \(ann.id)")
      #expect(rows.count == 1)
      #expect(try rows.first?.get("token", as: String.self) == dto.token)
      #expect(try rows.first?.get("platform", as: Int.self) == 11)
    }
  }

  @Test(arguments: [
    (#"{"inAppEnabled":1}"#, 6), (#"{"lowBalanceThreshold":"10"}"#, 7), (#"{"lowBalanceThreshold":-0.01}"#, 7),
    (#"{"lowBalanceThreshold":1e999}"#, 7),
  ])
  func `preferences that cannot be read are refused with every field's name`(_ body: String, _ count: Int) async throws
  {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.put, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest).count == count)
    }
  }
}
