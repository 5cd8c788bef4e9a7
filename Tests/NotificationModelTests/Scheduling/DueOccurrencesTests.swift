import Foundation
import NotificationModel
import Recurrence
import TestSupport
import Testing
import WallClock

/// What is due of a schedule, and when to search again.
@Suite struct DueOccurrencesTests {
  private static let berlin = "Europe/Berlin"
  private static let tokyo = "Asia/Tokyo"
  private static let newYork = "America/New_York"

  private static let request = Result {
    try FieldReader.read(SendRequest.self, from: Array(#"{"to":{"group":"g"},"type":12}"#.utf8))
  }

  private func schedule(_ timing: ScheduleTiming, zone: String? = nil) throws -> Schedule {
    Schedule(request: try Self.request.get(), timing: timing, zone: try zone.map { try #require(Zone($0)) })
  }

  private func daily(
    _ time: String,
    rule: String = "FREQ=DAILY",
    from start: String = "2026-01-01",
    lateness: Int = 6 * 3_600
  ) throws -> ScheduleTiming {
    .recurring(
      try RecurrenceRule(rule),
      start: try #require(LocalDate(start)),
      time: try #require(LocalTime(time)),
      lateness: lateness
    )
  }

  private func time(_ text: String) throws -> Date { try #require(Date(rfc3339: text)) }

  private func due(
    _ schedule: Schedule,
    zones: Set<String>,
    from done: String,
    at now: String
  ) throws -> DueOccurrences {
    DueOccurrences(schedule, zones: zones, home: .utc, after: try time(done), now: try time(now))
  }

  @Test func `what has come in some zones is sent to these, and the next search is when it comes in others`() throws {
    let schedule = try schedule(daily("09:00"))
    let zones: Set = [Self.berlin, Self.tokyo, Self.newYork, ""]
    let due = try due(schedule, zones: zones, from: "2026-11-22T07:59:59Z", at: "2026-11-22T08:00:00Z")
    #expect(due.runs.map(\.zones) == [[Self.berlin]])
    #expect(due.runs.map(\.at) == [try time("2026-11-22T08:00:00Z")])
    #expect(due.runs.map(\.occurrence.date) == [LocalDate("2026-11-22")])
    #expect(due.missed.isEmpty)
    // Home is UTC.
    #expect(due.next == (try time("2026-11-22T09:00:00Z")))
  }

  @Test func `zones with the same clocks, and names that nobody knows, go together`() throws {
    let schedule = try schedule(daily("09:00"))
    let zones: Set = ["Europe/Paris", Self.berlin, "Mars/Olympus", "", "Africa/Abidjan"]
    let due = try due(schedule, zones: zones, from: "2026-11-22T07:00:00Z", at: "2026-11-22T10:00:00Z")
    #expect(due.runs.map(\.zones) == [["Europe/Berlin", "Europe/Paris"], ["", "Africa/Abidjan", "Mars/Olympus"]])
  }

  @Test(arguments: [
    "FREQ=DAILY;COUNT=3", "FREQ=DAILY;UNTIL=20260103", "FREQ=DAILY;UNTIL=20260103T000000Z", "FREQ=DAILY",
  ]) func `each zone hears in a search for many what it would hear in one of its own`(_ rule: String) throws {
    let schedule = try schedule(daily("09:00", rule: rule, lateness: 40 * 86_400))
    let zones: Set = [Self.berlin, Self.tokyo, Self.newYork, "Pacific/Kiritimati", "Pacific/Pago_Pago"]
    func heard(in asked: Set<String>, by zone: String) throws -> [Date] {
      try due(schedule, zones: asked, from: "2025-12-31T00:00:00Z", at: "2026-01-05T12:00:00Z").runs
        .filter { $0.zones?.contains(zone) == true }.map(\.at)
    }
    for zone in zones {
      let alone = try heard(in: [zone], by: zone)
      #expect(alone.count >= 2)
      #expect(try heard(in: zones, by: zone) == alone)
    }
  }

  @Test func `a schedule in one zone notifies all at once`() throws {
    let schedule = try schedule(daily("09:00"), zone: Self.tokyo)
    #expect(!schedule.followsRecipients)
    let due = try due(schedule, zones: [], from: "2026-11-21T12:00:00Z", at: "2026-11-22T00:00:01Z")
    #expect(due.runs.map(\.zones) == [nil])
    #expect(due.next == (try time("2026-11-23T00:00:00Z")))
  }

  @Test func `what was missed is made up for while it is young, and skipped after that`() throws {
    let schedule = try schedule(daily("09:00", lateness: 3_600), zone: "UTC")
    let young = try due(schedule, zones: [], from: "2026-11-18T10:00:00Z", at: "2026-11-22T10:00:00Z")
    #expect(young.runs.map(\.occurrence.date) == [LocalDate("2026-11-22")])
    #expect(young.missed.map(\.occurrence.date) == [LocalDate("2026-11-19")])
    let old = try due(schedule, zones: [], from: "2026-11-18T10:00:00Z", at: "2026-11-22T10:00:01Z")
    #expect(old.runs.isEmpty)
    #expect(old.next == (try time("2026-11-23T09:00:00Z")))
  }

  @Test func `an instant is due once, however late`() throws {
    let schedule = try schedule(.once(try time("2026-11-22T08:00:00.5Z")))
    let before = try due(schedule, zones: [], from: "2026-11-20T00:00:00Z", at: "2026-11-22T08:00:00Z")
    #expect(before.runs.isEmpty)
    #expect(before.next == (try time("2026-11-22T08:00:00.5Z")))
    let after = try due(schedule, zones: [], from: "2026-11-20T00:00:00Z", at: "2028-11-22T08:00:00Z")
    #expect(after.runs.map(\.at) == [try time("2026-11-22T08:00:00.5Z")])
    #expect(after.next == nil)
    #expect(try due(schedule, zones: [], from: "2026-11-22T08:00:01Z", at: "2028-01-01T00:00:00Z").runs.isEmpty)
  }

  @Test func `a time that a zone skips is the first instant after the gap, one that comes twice its first`() throws {
    let schedule = try schedule(daily("02:30", lateness: 86_400))
    let spring = try due(schedule, zones: [Self.berlin], from: "2026-03-28T12:00:00Z", at: "2026-03-29T12:00:00Z")
    #expect(spring.runs.map(\.at) == [try time("2026-03-29T01:00:00Z")])
    let autumn = try due(schedule, zones: [Self.berlin], from: "2026-10-24T12:00:00Z", at: "2026-10-25T12:00:00Z")
    #expect(autumn.runs.map(\.at) == [try time("2026-10-25T00:30:00Z")])
    #expect(autumn.next.map { $0 > .distantPast } == true)
  }

  @Test func `a day that a zone skipped is due as its next one begins`() throws {
    let schedule = try schedule(daily("09:00", from: "2011-12-30", lateness: 86_400))
    let due = try due(schedule, zones: ["Pacific/Apia"], from: "2011-12-29T20:00:00Z", at: "2011-12-30T20:00:00Z")
    #expect(due.runs.map(\.occurrence.date) == [LocalDate("2011-12-30"), LocalDate("2011-12-31")])
    #expect(due.runs.map(\.at) == [try time("2011-12-30T10:00:00Z"), try time("2011-12-30T19:00:00Z")])
  }

  @Test func `reminders of what is due come on their days, each with its type`() throws {
    let timing = ScheduleTiming.deadline(
      due: try #require(LocalDate("2026-12-01")),
      time: try #require(LocalTime("09:00")),
      reminders: [
        ScheduleReminder(offset: try #require(DayOffset("-P7D"))),
        ScheduleReminder(offset: try #require(DayOffset("P0D")), type: .code(13)),
        ScheduleReminder(offset: try #require(DayOffset("P1D"))),
      ],
      lateness: 3_600
    )
    let schedule = try schedule(timing, zone: "UTC")
    let instants = schedule.next(5, after: try time("2026-11-01T00:00:00Z"), in: .utc).instants
    #expect(
      instants == [
        try time("2026-11-24T09:00:00Z"), try time("2026-12-01T09:00:00Z"), try time("2026-12-02T09:00:00Z"),
      ]
    )
    let first = try due(schedule, zones: [], from: "2026-11-01T00:00:00Z", at: "2026-11-24T09:00:00Z")
    #expect(first.runs.map(\.occurrence.facts) == [["days": "7", "due": "2026-12-01", "date": "2026-11-24"]])
    #expect(first.runs.map(\.occurrence.type) == [nil])
    let second = try due(schedule, zones: [], from: "2026-11-24T09:00:00Z", at: "2026-12-01T09:00:00Z")
    #expect(second.runs.map(\.occurrence.type) == [.code(13)])
    #expect(second.runs.map(\.occurrence.facts["days"]) == ["0"])
    let last = try due(schedule, zones: [], from: "2026-12-01T09:00:00Z", at: "2026-12-02T09:00:00Z")
    #expect(last.runs.map(\.occurrence.facts["days"]) == ["-1"])
    #expect(last.next == nil)
  }

  @Test func `a count is one of local dates, in every zone`() throws {
    let schedule = try schedule(daily("23:30", rule: "FREQ=DAILY;COUNT=2", from: "2026-11-20"))
    for zone in [Self.tokyo, Self.berlin, Self.newYork] {
      let zone = try #require(Zone(zone))
      #expect(schedule.next(5, after: try time("2026-11-01T00:00:00Z"), in: zone).instants.count == 2)
    }
    let due = try due(schedule, zones: [Self.newYork], from: "2026-11-22T04:30:00Z", at: "2026-11-24T04:30:00Z")
    #expect(due.runs.isEmpty)
    #expect(due.next == nil)
  }

  @Test func `somebody who comes from a zone that was not in use is reached within the lateness`() throws {
    let schedule = try schedule(daily("09:00"))
    // Nobody but Berlin is known: the next occurrence there is at 08:00Z on the 23rd.
    var now = try time("2026-11-22T08:00:00Z")
    let comesInTokyo = try time("2026-11-23T00:00:00Z")
    var searches = 0
    while now < comesInTokyo {
      let due = DueOccurrences(schedule, zones: [Self.berlin], home: .utc, after: now, now: now)
      now = try #require(due.next)
      searches += 1
    }
    #expect(now.timeIntervalSince(comesInTokyo) <= 6 * 3_600)
    #expect(searches <= 4)
  }

  /// Searches at random times, at zones all over the world: each occurrence is due once in each zone, at its instant.
  @Test func `over random searches each occurrence is due exactly once in each zone`() throws {
    var dice = SplitMix64(seed: 36)
    let rules = [
      "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=MO,SU", "FREQ=MONTHLY;BYMONTHDAY=-1",
      "FREQ=MONTHLY;BYDAY=2FR", "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU", "FREQ=DAILY;COUNT=9",
      "FREQ=DAILY;UNTIL=20260320T120000Z",
    ]
    let names = [
      "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Kiritimati", "Pacific/Pago_Pago",
      "Asia/Kathmandu", "America/St_Johns", "Africa/Casablanca", "Pacific/Chatham", "America/Santiago", "UTC",
    ]
    for rule in rules {
      for _ in 0..<12 {
        let time = try #require(LocalTime(secondOfDay: dice.below(86_400)))
        let rule = try RecurrenceRule(rule)
        let start = try #require(LocalDate("2026-03-01"))
        let schedule = try schedule(.recurring(rule, start: start, time: time, lateness: 40 * 86_400))
        let zones = Set((0...dice.below(5)).map { _ in names[dice.below(names.count)] })
        let begin = try #require(Date(rfc3339: "2026-03-01T00:00:00Z")) + Double(dice.below(20 * 86_400))
        let end = begin + Double(30 * 86_400)
        var found: [String: [Date]] = [:]
        var done = begin
        var now = begin
        var plan: RecurrencePlan?
        // Some search so short a way ahead that they have to go on.
        let limit = dice.below(3) == 0 ? 31 + dice.below(60) : DueOccurrences.maximumDays
        while now < end {
          let due = DueOccurrences(
            schedule,
            zones: zones,
            home: .utc,
            plan: plan,
            after: done,
            now: now,
            limit: limit
          )
          #expect(due.missed.isEmpty)
          #expect(due.examined <= limit)
          for run in due.runs { for zone in run.zones ?? [] { found[zone, default: []].append(run.at) } }
          #expect(due.next.map { $0 > now } ?? true)
          done = max(done, due.searchedUntil)
          plan = due.plan
          // Mostly when it asks for it, sometimes late, sometimes early.
          let next = min(due.next ?? end, end)
          now = dice.below(4) == 0 ? min(end, now + Double(1 + dice.below(200_000))) : next
        }
        let last = DueOccurrences(schedule, zones: zones, home: .utc, plan: plan, after: done, now: end)
        for run in last.runs { for zone in run.zones ?? [] { found[zone, default: []].append(run.at) } }
        for name in zones {
          let zone = try #require(Zone(name))
          let dates = rule.dates(from: start, at: time, in: zone).prefix {
            $0 < LocalDate(dayNumber: start.dayNumber + 90)
          }
          let expected = dates.map { zone.instant(of: $0, at: time) }.filter { $0 > begin && $0 <= end }
          #expect(found[name, default: []].sorted() == expected.sorted(), "\(rule) \(time) \(name)")
        }
      }
    }
  }

  @Test func `the ids of a date hold whatever is sent of it, in any zone`() throws {
    let date = try #require(LocalDate("2026-11-22"))
    let request = RequestID(schedule: "bins", of: "shop", on: date)
    #expect(request == RequestID(schedule: "bins", of: "shop", on: date))
    #expect(request != RequestID(schedule: "bins", of: "bank", on: date))
    #expect(request != RequestID(schedule: "bins", of: "shop", on: date.adding(days: 1)))
    let user = UserID(UUID())
    for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC", "Asia/Kathmandu"] {
      let zone = try #require(Zone(zone))
      for time in [LocalTime.midnight, try #require(LocalTime("23:59:59"))] {
        let id = NotificationID(request: request, recipient: user, at: zone.instant(of: date, at: time))
        #expect(date.notificationIDs.contains(id))
      }
    }
    #expect(!date.notificationIDs.contains(NotificationID(request: request, recipient: user, at: .distantFuture)))
  }
}
