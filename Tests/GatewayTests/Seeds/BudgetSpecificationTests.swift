import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import SeedModels
import Testing

@testable import Gateway

/// ABC Budgeting: its settings are kept, its types and actions are known, and its texts are those of the catalogue.
@Suite struct BudgetSpecificationTests {
  private typealias App = ABCBudgeting

  private let path = "/api/v1/notifications/preferences"

  /// What lines 472 to 474 hand over, as requests to Belfry.
  private func save(_ settings: App.NotificationSettings, _ caller: Caller, _ gateway: TestGateway) async throws {
    let categories = App.NotificationType.allCases.map { type -> [String: Any] in
      [
        "category": type.category, "inAppEnabled": settings[keyPath: type.setting],
        "pushEnabled": settings[keyPath: type.setting],
      ]
    }
    let preferences: [String: Any] = [
      "notificationsEnabled": settings.isEnabled, "categories": categories, "timezone": settings.timezone.identifier,
    ]
    var quietHours: [String: Any] = ["enabled": false]
    if let start = settings.quietHoursStart, let end = settings.quietHoursEnd {
      quietHours = [
        "enabled": true, "startTime": clock(start, settings.timezone), "endTime": clock(end, settings.timezone),
      ]
    }
    for (path, body) in [(path, preferences), ("\(path)/quiet-hours", quietHours)] {
      let body = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
      _ = try await gateway.call(.put, path, as: caller, body: body).expect(.ok)
    }
  }

  private func clock(_ date: Date, _ zone: TimeZone) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    return String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0)
  }

  /// Lines 221 to 232: everything is on at first, but not the reminders of the app itself.
  @Test func `the defaults of its settings are those of the catalogue`() async throws {
    try await TestGateway.with { gateway in
      let answer = try await gateway.call(.get, path, as: .user()).expect(.ok)
      let categories = try answer.list("categories")
      for type in App.NotificationType.allCases {
        let shown = try #require(categories.first { $0["category"] as? String == type.category })
        #expect(shown["pushEnabled"] as? Bool == App.NotificationSettings()[keyPath: type.setting], "\(type)")
      }
      #expect(try answer.json()["notificationsEnabled"] as? Bool == App.NotificationSettings().isEnabled)
      #expect(try answer.json()["quietHoursEnabled"] as? Bool == false)
    }
  }

  /// Each switch alone, so that none stands for another.
  @Test(arguments: ABCBudgeting.NotificationType.allCases)
  func `updateNotificationSettings switches one type, and no other`(_ type: ABCBudgeting.NotificationType) async throws
  {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      var settings = App.NotificationSettings()
      settings.timezone = try #require(TimeZone(identifier: "Europe/Berlin"))
      settings[keyPath: type.setting].toggle()
      try await save(settings, ann, gateway)
      let answer = try await gateway.call(.get, path, as: ann).expect(.ok)
      for shown in try answer.list("categories") {
        let category = try #require(shown["category"] as? String)
        guard let type = App.NotificationType.allCases.first(where: { $0.category == category }) else { continue }
        #expect(shown["pushEnabled"] as? Bool == settings[keyPath: type.setting], "\(category)")
        #expect(shown["inAppEnabled"] as? Bool == settings[keyPath: type.setting], "\(category)")
      }
      #expect(try answer.json()["timezone"] as? String == "Europe/Berlin")
    }
  }

  /// Lines 463 to 464: its pickers give instants, of which the clock's time counts.
  @Test func `quiet hours are kept by the clock of its time zone`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      var settings = App.NotificationSettings()
      settings.timezone = try #require(TimeZone(identifier: "America/New_York"))
      // 22:00 and 07:30 in New York in winter.
      settings.quietHoursStart = Date(timeIntervalSince1970: 1_795_316_400)
      settings.quietHoursEnd = Date(timeIntervalSince1970: 1_795_350_600)
      try await save(settings, ann, gateway)
      let shown = try await gateway.call(.get, path, as: ann).expect(.ok).json()
      #expect(shown["quietHoursEnabled"] as? Bool == true)
      #expect(shown["quietHoursStart"] as? String == "22:00:00" && shown["quietHoursEnd"] as? String == "07:30:00")
      settings.isEnabled = false
      (settings.quietHoursStart, settings.quietHoursEnd) = (nil, nil)
      try await save(settings, ann, gateway)
      let after = try await gateway.call(.get, path, as: ann).expect(.ok).json()
      #expect(after["quietHoursEnabled"] as? Bool == false && after["notificationsEnabled"] as? Bool == false)
    }
  }

  /// Lines 491 to 507.
  @Test func `the catalogue has its actions, and takes a report of each`() async throws {
    try await TestGateway.with { gateway in
      let catalogue = try await gateway.call(.get, "/catalogue", as: .user()).expect(.ok)
      let types = try catalogue.list("types")
      let ann = try await Caller.user()
      for action in App.actions {
        let type = types.first { type in
          (type["actions"] as? [[String: Any]])?.contains { $0["id"] as? String == action } == true
            && (type["code"] as? Int ?? 0) >= 120
        }
        let code = try #require(type?["code"] as? Int, "\(action)")
        let id = try #require(try await gateway.store(1, for: ann.id, type: code).first)
        _ = try await gateway.call(.post, "/api/v1/notifications/\(id)/actions/\(action)", as: ann).expect(.noContent)
      }
    }
  }

  /// Lines 392 to 424.
  @Test func `the texts of its generator are those of the catalogue`() async throws {
    let items = [
      (App.NotificationContentGenerator.generateTransactionReminder(), #"{"type":"DailyLogReminder","data":{}}"#),
      (
        App.NotificationContentGenerator.generateGoalProgressNotification(for: "Bike", milestone: 0.75),
        #"{"type":"SavingsGoalMilestone","data":{"goalId":"g-1","goalName":"Bike","percent":75}}"#
      ),
      (
        App.NotificationContentGenerator.generateSpendingAlert(dailySpending: 62.5, dailyBudget: 50),
        #"{"type":"OverBudget","data":{"category":"Food","period":"day","spent":62.5,"budget":50,"over":12.5}}"#
      ),
    ]
    try await TestGateway.withoutDatabase { gateway in
      for (item, body) in items {
        let ops = try await Caller.service("ops", role: .admin)
        let answer = try await gateway.call(.post, "/api/v1/admin/preview", as: ops, body: body).expect(.ok)
        let channels = try #require(try answer.json()["channels"] as? [String: [String: String]])
        #expect(channels["push"] == ["title": item.title, "body": item.body])
      }
    }
  }

  /// Lines 248 to 276: its two reminders are schedules that its backend starts by their names.
  @Test(arguments: [("daily-log-reminder", 1, 19), ("weekly-spending-summary", 7, 18)])
  func `a reminder that repeats is a schedule of the catalogue`(_ name: String, _ days: Int, _ hour: Int) async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let body = #"{"to":{"users":["\#(ann.id)"]},"template":"\#(name)","timezone":"UTC"}"#
      let answer = try await gateway.call(.put, "/api/v1/schedules/\(name)", as: .service(), body: body)
        .expect(.created)
      let next = try #require(try answer.json()["next"] as? [String])
      let instants = try next.map { try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse($0) }
      #expect(instants.count == 5)
      for (instant, following) in zip(instants, instants.dropFirst()) {
        #expect(following.timeIntervalSince(instant) == Double(days * 86_400))
      }
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      let first = calendar.dateComponents([.weekday, .hour, .minute], from: try #require(instants.first))
      #expect(first.hour == hour && first.minute == 0)
      #expect(days == 1 || first.weekday == 1)
    }
  }
}
