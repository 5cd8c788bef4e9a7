import Foundation

@testable import BelfrySender

/// Requests on both sides of every limit.
enum RequestCases {
  private static let noon = Date(timeIntervalSince1970: 1_796_126_400)
  private static let long = String(repeating: "x", count: 201)
  private static let people = [String](repeating: "ann", count: 1_001)

  static let sends: [SendRequest] = {
    let hello = SendRequest.hello
    let audiences: [Audience] = [
      .users(["ann", "4F9C1C1E-0001-4000-8000-000000000001"], except: ["bob"]), .group("family:demo", except: ["ann"]),
      .everyone(), .everyone(except: ["ann"]), .topic("news"), .condition("'news' in topics && 'berlin' in topics"),
      .users([]), .users(people), .users(["ann", "", "\u{7}", "..", String(repeating: "x", count: 129)]), .group(""),
      .group(long), .group("g", except: people), .topic(""), .topic("no topic"), .topic("müll"), .condition("news"),
      .condition(""),
    ]
    let names = [
      "from", "message_type", "google.c", "gcm", "a\u{1}", "amount", "größe", String(repeating: "x", count: 129),
    ]
    return audiences.map { SendRequest(to: $0, type: 99) }
      + names.map { hello.data([$0: "value"]) }
      + [
        hello.data(["text": "a\nb", "integer": -3, "decimal": .decimal(1.25), "isLarge": true]),
        hello.data(["n": .text(String(repeating: "x", count: 4_095))]),
        hello.data(["n": .text(String(repeating: "x", count: 4_096))]),
        hello.data(["n": "a\u{0}"]),
        hello.data(Dictionary(uniqueKeysWithValues: (0..<64).map { ("n\($0)", DataValue.integer(1)) })),
        hello.data(Dictionary(uniqueKeysWithValues: (0..<65).map { ("n\($0)", DataValue.integer(1)) })),
        hello.title(long), hello.title("a\nb"), hello.title("\u{85}"), hello.title(""),
        hello.title(String(repeating: "é", count: 200)), hello.title(String(repeating: "👨‍👩‍👧‍👦", count: 33)),
        hello.body("a\n\tb"), hello.body("a\u{0}"), hello.body(String(repeating: "x", count: 4_001)),
        hello.about("Transaction", id: "t-1"), hello.about(long, id: long), hello.collapsing("a b"),
        hello.collapsing(""), hello.collapsing(String(repeating: "x", count: 64)), hello.collapsing(long),
        hello.channels(.inApp, .push, .email), hello.silent(),
        hello.at(noon), hello.at(noon).expiring(at: noon + 0.001), hello.at(noon).expiring(at: noon),
        SendRequest(to: .topic("news"), type: 99).channels(.email), SendRequest(to: .topic("news"), type: 99).silent(),
        SendRequest(to: .user("ann"), type: "AllowanceDeposit"),
      ]
  }()

  static let schedules: [ScheduleDefinition] = {
    func schedule(_ time: ScheduleTime) -> ScheduleDefinition {
      ScheduleDefinition(to: .user("ann"), type: 99, time).title("T").body("{{date|date}}")
    }
    func weekly(_ lateness: Duration) -> ScheduleDefinition {
      schedule(.recurring(.weekly(on: [.monday], every: 2), at: "19:00", lateness: lateness))
    }
    func due(_ reminders: [ScheduleReminder]) -> ScheduleDefinition {
      schedule(.reminders(of: "2026-11-30", at: "09:00:30", reminders, timezone: "Europe/Berlin"))
    }
    let times: [LocalTime] = ["24:00", "9:00", "09:60", "09:00:60", "+9:00", "09-00", "23:59:59", LocalTime(hour: 9)]
    let days: [LocalDate] = ["2026-00-01", "2026-01-32", "1969-01-01", "9001-01-01", "26-01-01", "2026-12-01"]
    let rules: [RecurrenceRule] = [
      .daily(), .daily(every: 3).ending(after: 10), .weekly(), .monthly(on: -1), .yearly(month: 2, day: 29),
      RecurrenceRule(""),
    ]
    return times.map { schedule(.recurring(.daily(), at: $0)) }
      + days.map { schedule(.recurring(.daily(), at: "09:00", start: $0)) }
      + rules.map { schedule(.recurring($0, at: "09:00")) }
      + [
        schedule(.once(noon)), schedule(.once(noon, expiresAt: noon + 1)), schedule(.once(noon, expiresAt: noon)),
        weekly(.seconds(60)), weekly(.seconds(59)), weekly(.seconds(31 * 86_400)), weekly(.seconds(31 * 86_400 + 1)),
        due([.before(days: 3), .before(days: 0, type: "Due"), .after(days: 1)]), due([]), due([.before(days: 3_661)]),
        due((0..<33).map { .before(days: $0) }), due([.after(days: 1), .after(days: 1)]),
        ScheduleDefinition(
          to: .user("ann"),
          template: "daily-log-reminder",
          start: "2026-12-01",
          lateness: .seconds(60)
        ),
        schedule(.once(noon)).data(["days": 1]), schedule(.once(noon)).data(["what": "Rent"]),
      ]
  }()

  static let events: [EventReport] = [
    EventReport("BalanceUpdated", payload: ["n": 1]).relayed(to: .group("family:demo", except: ["ann"])).occurred(
      at: noon
    ),
    EventReport("E", payload: ["n": 1]).relayed(to: .users(["ann"])),
    EventReport("E", payload: ["n": 1]).relayed(to: .users([])),
    EventReport("", payload: ["n": 1]), EventReport(String(repeating: "x", count: 65), payload: ["n": 1]),
    EventReport("E", payload: ["a"]), EventReport("E", payload: "text"),
    EventReport("E", payload: ["n": String(repeating: "x", count: 16_376)]),
    EventReport("E", payload: ["n": String(repeating: "x", count: 16_377)]),
  ]
}
