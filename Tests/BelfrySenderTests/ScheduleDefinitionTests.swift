import Foundation
import Testing

@testable import BelfrySender

@Suite struct ScheduleDefinitionTests {
  private static let noon = Date(timeIntervalSince1970: 1_796_126_400)
  private static let to = #""to":{"users":["ann"]}"#

  private func schedule(_ time: ScheduleTime) -> ScheduleDefinition {
    ScheduleDefinition(to: .user("ann"), type: 99, time)
  }

  @Test func `each kind of time has its own members and no others`() throws {
    #expect(
      try schedule(.once(Self.noon, expiresAt: Self.noon + 1)).text()
        == #"{"expiresAt":"2026-12-01T12:00:01.000Z","sendAt":"2026-12-01T12:00:00.000Z",\#(Self.to),"type":99}"#
    )
    let weekly = ScheduleTime.recurring(
      .weekly(on: [.friday, .monday], every: 2),
      at: "19:00",
      start: LocalDate(year: 2_026, month: 12, day: 1),
      timezone: "Europe/Berlin",
      lateness: .seconds(3_600)
    )
    let recurring = """
      {"lateness":"PT3600S","recurrence":"FREQ=WEEKLY;BYDAY=MO,FR;INTERVAL=2","start":"2026-12-01",\
      "time":"19:00","timezone":"Europe/Berlin",\(Self.to),"type":99}
      """
    #expect(try schedule(weekly).text() == recurring)
    let reminders: [ScheduleReminder] = [.before(days: 3), .before(days: 0, type: "Due"), .after(days: 1)]
    let due = """
      {"due":"2026-11-30","reminders":[{"offset":"-P3D"},{"offset":"P0D","type":"Due"},{"offset":"P1D"}],\
      "time":"09:05",\(Self.to),"type":99}
      """
    #expect(
      try schedule(.reminders(of: "2026-11-30", at: LocalTime(hour: 9, minute: 5), reminders)).text() == due
    )
    let template = ScheduleDefinition(to: .user("ann"), template: "daily-log-reminder", start: "2026-12-01")
    #expect(try template.text() == #"{"start":"2026-12-01","template":"daily-log-reminder",\#(Self.to)}"#)
  }

  @Test func `a schedule has a send's texts and data`() throws {
    let request = schedule(.recurring(.daily(), at: "19:00")).title("Rent").body("{{what}}").data(["what": "Rent"])
    let expected = """
      {"body":"{{what}}","data":{"what":"Rent"},"recurrence":"FREQ=DAILY","time":"19:00","title":"Rent",\
      \(Self.to),"type":99}
      """
    #expect(try request.text() == expected)
  }

  @Test(arguments: [
    (RecurrenceRule.daily(every: 2), "FREQ=DAILY;INTERVAL=2"), (.weekly(), "FREQ=WEEKLY"),
    (.monthly(on: -1), "FREQ=MONTHLY;BYMONTHDAY=-1"),
    (.yearly(month: 2, day: 29), "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"),
    (.daily().ending(after: 10), "FREQ=DAILY;COUNT=10"), (RecurrenceRule("FREQ=WEEKLY;WKST=SU"), "FREQ=WEEKLY;WKST=SU"),
  ])
  func `rules are those of RFC 5545`(rule: RecurrenceRule, text: String) {
    #expect(rule.description == text)
  }

  @Test func `all that is wrong is named, by the paths of the gateway`() {
    #expect(schedule(.once(Self.noon, expiresAt: Self.noon)).wrongFields() == ["expiresAt"])
    let recurring = ScheduleTime.recurring(
      RecurrenceRule(""),
      at: "7pm",
      start: "2026-13-01",
      timezone: "",
      lateness: .seconds(59)
    )
    #expect(Set(schedule(recurring).wrongFields()) == ["recurrence", "time", "start", "timezone", "lateness"])
    let reminders: [ScheduleReminder] = [.before(days: 3_661), .after(days: 1, type: 0), .after(days: 1)]
    let wrong: Set = ["due", "reminders[0].offset", "reminders[1].type", "reminders[2].offset"]
    #expect(Set(schedule(.reminders(of: "30.11.2026", at: "09:00", reminders)).wrongFields()) == wrong)
    #expect(schedule(.reminders(of: "2026-11-30", at: "09:00", [])).wrongFields() == ["reminders"])
    let template = ScheduleDefinition(to: .user("ann"), template: "").data(["days": 1])
    #expect(Set(template.wrongFields()) == ["template", "data.days"])
  }

  @Test(arguments: ["24:00", "9:00", "09:60", "09:00:60", "+9:00", "09-00", "", "09:00:00:00"])
  func `a time of day that is none is refused`(text: String) {
    #expect(schedule(.recurring(.daily(), at: LocalTime(text))).wrongFields() == ["time"])
  }

  @Test(arguments: ["2026-00-01", "2026-01-32", "1969-01-01", "9001-01-01", "26-01-01", "2026-+1-01", ""])
  func `a day that is none is refused`(text: String) {
    #expect(schedule(.recurring(.daily(), at: "09:00", start: LocalDate(text))).wrongFields() == ["start"])
  }
}
