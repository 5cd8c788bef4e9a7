import CatalogueVersions
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import Recurrence
import TestSupport
import Testing
import WallClock

@testable import Router

/// What is sent later: sends with an instant, recurrences and reminders, from the table to the inbox.
@Suite struct ScheduleTests {
  private let user = UserID(UUID())

  private func time(_ text: String) -> Date { Date(rfc3339: text)! }

  private func to(_ users: UserID...) -> String {
    #""to":{"users":[\#(users.map { "\"\($0)\"" }.joined(separator: ","))]}"#
  }

  @Test func `a send with an instant waits, and is sent as of then under the id it was accepted with`() async throws {
    let begin = time("2026-11-22T08:00:00.250Z")
    try await ScheduleBench.with(at: begin) { [user] bench in
      let id = RequestID(now: begin)
      let body = #"{\#(to(user)),"type":12,"title":"{{not}} a template","sendAt":"2026-11-22T20:00:00.5Z"}"#
      for _ in 0..<2 { try await bench.publish(body, id: id) }
      try await bench.route()
      #expect(try await bench.notified(user).isEmpty)
      try await bench.live(until: time("2026-11-22T19:59:59Z"))
      #expect(try await bench.notified(user).isEmpty)
      try await bench.live(until: time("2026-11-22T20:00:01Z"))
      let notified = try await bench.notified(user)
      #expect(notified.map(\.title) == ["{{not}} a template"])
      #expect(notified.map(\.at) == [time("2026-11-22T20:00:00.5Z")])
      let row = try #require(
        try await bench.client.query("SELECT request_id, id, request_owner FROM notifications").first
      )
      #expect(try row.get(0, as: RequestID.self) == id)
      #expect(try row.get(1, as: NotificationID.self).time == time("2026-11-22T20:00:00.5Z"))
      #expect(try row.get(2, as: String.self) == "shop")
      // The message that brought it comes once more, long after.
      try await bench.publish(body, id: id)
      try await bench.live(until: time("2026-11-22T21:00:00Z"))
      #expect(try await bench.notified(user).count == 1)
      #expect(bench.deadLettered.isEmpty)
    }
  }

  @Test func `an instant that has passed is at once, one beyond a year is dead-lettered by name`() async throws {
    let begin = time("2026-11-22T08:00:00Z")
    try await ScheduleBench.with(at: begin) { [user] bench in
      try await bench.publish(#"{\#(to(user)),"type":12,"sendAt":"2026-11-22T07:00:00Z"}"#, id: RequestID(now: begin))
      try await bench.publish(#"{\#(to(user)),"type":12,"sendAt":"2028-01-01T00:00:00Z"}"#, id: RequestID(now: begin))
      try await bench.route()
      #expect(try await bench.times(user) == ["2026-11-22T08:00:00.000Z"])
      #expect(bench.deadLettered == ["invalid: sendAt: is more than a year ahead"])
    }
  }

  @Test func `a cancelled send is not delivered`() async throws {
    let begin = time("2026-11-22T08:00:00Z")
    try await ScheduleBench.with(at: begin) { [user] bench in
      let id = RequestID(now: begin)
      let body = #"{\#(to(user)),"type":12,"sendAt":"2026-11-22T09:00:00Z"}"#
      try await bench.publish(body, id: id)
      try await bench.route()
      #expect(try await bench.schedules.withdraw(id, of: nil, now: begin) == .withdrawn)
      try await bench.publish(body, id: id)
      try await bench.live(until: begin + 7_200)
      #expect(try await bench.notified(user).isEmpty)
    }
  }

  @Test func `a schedule to a topic is one push each time, whatever zones people live in`() async throws {
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z")) { [user] bench in
      try await bench.settle(user, in: "Asia/Tokyo")
      let topic = #""to":{"topic":"news"},"type":12,"title":"{{date}}","recurrence":"FREQ=DAILY","time":"19:00""#
      try await bench.put("daily", "{\(topic)}")
      try await bench.live(until: time("2026-11-24T18:59:00Z"))
      #expect(try bench.pushes.map(\.contents.first?.title) == ["2026-11-22", "2026-11-23"])
      #expect(try bench.pushes.allSatisfy { $0.deliveries.first?.targets.map(\.address) == ["news"] })
      #expect(try await bench.client.query("SELECT FROM topic_deliveries").count == 2)
    }
  }

  @Test func `what is silent is in the inbox alone, at once or later`() async throws {
    let begin = time("2026-11-22T08:00:00Z")
    try await ScheduleBench.with(at: begin) { [user] bench in
      let other = UserID(UUID())
      try await bench.publish(#"{\#(to(user)),"type":12,"silent":true}"#, id: RequestID(now: begin))
      let later = #"{\#(to(other)),"type":12,"silent":true,"sendAt":"2026-11-22T09:00:00Z"}"#
      try await bench.publish(later, id: RequestID(now: begin))
      try await bench.live(until: begin + 7_200)
      let rows = try await bench.client.query("SELECT in_app, push, email FROM notifications")
      #expect(rows.count == 2)
      let skipped = Int(SkipReason.channelNotRequested.rawValue)
      for row in rows {
        #expect(try row.get(0, as: Int.self) == 0)
        #expect(try row.get(1, as: Int.self) == skipped)
        #expect(try row.get(2, as: Int.self) == skipped)
      }
    }
  }

  @Test func `a schedule that is stored with texts that are too long goes on, and says so of each recipient`()
    async throws
  {
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z")) { [user] bench in
      let body = String(repeating: "{{x}}", count: 790)
      let x = String(repeating: "a", count: 3_900)
      try await bench.put(
        "long",
        #"{\#(to(user)),"type":12,"title":"{{x}}","body":"\#(body)","data":{"x":"\#(x)"},"recurrence":"FREQ=DAILY","time":"19:00"}"#
      )
      try await bench.live(until: time("2026-11-24T12:00:00Z"))
      #expect(try await bench.notified(user).map(\.body) == ["", ""])
      let decided = try await bench.client.query("SELECT DISTINCT in_app, push, email FROM notifications")
      #expect(decided.count == 1)
      for column in 0..<3 { #expect(try decided[0].get(column, as: Int.self) == Int(SkipReason.textTooLong.rawValue)) }
      #expect(bench.deadLettered.isEmpty)
    }
  }

  @Test func `a daily reminder comes at each recipient's own time, once a day`() async throws {
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z")) { bench in
      let people = (0..<4).map { _ in UserID(UUID()) }
      for (user, zone) in zip(people, ["Europe/Berlin", "Asia/Tokyo", "America/New_York"]) {
        try await bench.settle(user, in: zone)
      }
      try await GroupStore(client: bench.client).replace("team", members: people)
      try await bench.put("log", #"{"to":{"group":"team"},"template":"daily-log-reminder"}"#)
      try await bench.live(until: time("2026-11-24T12:00:00Z"))
      #expect(try await bench.times(people[0]) == ["2026-11-22T18:00:00.000Z", "2026-11-23T18:00:00.000Z"])
      #expect(try await bench.times(people[1]) == ["2026-11-23T10:00:00.000Z", "2026-11-24T10:00:00.000Z"])
      #expect(try await bench.times(people[2]) == ["2026-11-23T00:00:00.000Z", "2026-11-24T00:00:00.000Z"])
      #expect(try await bench.times(people[3]) == ["2026-11-22T19:00:00.000Z", "2026-11-23T19:00:00.000Z"])
      #expect(try await bench.notified(people[0]).first?.title == "Log Today's Transactions")
      #expect(bench.deadLettered.isEmpty)
    }
  }

  @Test func `a schedule's own texts are worded as each reader writes`() async throws {
    try await ScheduleBench.with(at: time("2026-11-22T07:00:00Z")) { bench in
      let people = (0..<3).map { _ in UserID(UUID()) }
      for (user, locale) in zip(people, ["de", "de-DE", nil]) {
        let profile = UserStore.Profile(
          email: nil,
          displayName: nil,
          locale: locale,
          timezone: "Europe/Berlin",
          isEnabled: true
        )
        _ = try await UserStore(client: bench.client).put(profile, of: user)
      }
      let definition = #"""
        {\#(to(people[0], people[1], people[2])),"type":"SystemAnnouncement","title":"{{due|date}}","body":"{{days|inDays}}",\#
        "due":"2026-11-23","time":"09:00","reminders":[{"offset":"-P1D"}]}
        """#
      try await bench.put("rent", definition)
      try await bench.live(until: time("2026-11-22T09:00:00Z"))
      #expect(bench.deadLettered.isEmpty)
      for (user, expected) in zip(
        people,
        ["23. November 2026: morgen", "23. November 2026: morgen", "November 23, 2026: tomorrow"]
      ) {
        #expect(try await bench.notified(user).map { "\($0.title): \($0.body)" } == [expected])
      }
    }
  }

  @Test func `on the days when clocks change it comes once, at the time that clocks show`() async throws {
    try await ScheduleBench.with(at: time("2027-03-27T12:00:00Z")) { [user] bench in
      try await bench.settle(user, in: "Europe/Berlin")
      try await bench.put("early", #"{\#(to(user)),"type":12,"recurrence":"FREQ=DAILY","time":"02:30"}"#)
      try await bench.live(until: time("2027-03-29T12:00:00Z"))
      #expect(try await bench.times(user) == ["2027-03-28T01:00:00.000Z", "2027-03-29T00:30:00.000Z"])
    }
    try await ScheduleBench.with(at: time("2027-10-30T12:00:00Z")) { [user] bench in
      try await bench.settle(user, in: "Europe/Berlin")
      try await bench.put("early", #"{\#(to(user)),"type":12,"recurrence":"FREQ=DAILY","time":"02:30"}"#)
      try await bench.live(until: time("2027-11-01T12:00:00Z"))
      #expect(try await bench.times(user) == ["2027-10-31T00:30:00.000Z", "2027-11-01T01:30:00.000Z"])
    }
  }

  @Test func `who moves west after a run is not notified again that day, who moves past one misses it`() async throws {
    try await ScheduleBench.with(at: time("2026-11-22T07:00:00Z")) { bench in
      let people = (0..<3).map { _ in UserID(UUID()) }
      try await bench.settle(people[0], in: "Europe/Berlin")
      try await bench.settle(people[1], in: "America/New_York")
      try await bench.settle(people[2], in: "Europe/Berlin")
      let body = #"{\#(to(people[0], people[1], people[2])),"type":12,"recurrence":"FREQ=DAILY","time":"09:00"}"#
      try await bench.put("morning", body)
      try await bench.live(until: time("2026-11-22T10:00:00Z"))
      #expect(try await bench.times(people[0]) == ["2026-11-22T08:00:00.000Z"])
      try await bench.settle(people[0], in: "America/New_York")
      try await bench.settle(people[1], in: "Europe/Berlin")
      try await bench.live(until: time("2026-11-23T15:00:00Z"))
      #expect(try await bench.times(people[0]) == ["2026-11-22T08:00:00.000Z", "2026-11-23T14:00:00.000Z"])
      #expect(try await bench.times(people[1]) == ["2026-11-23T08:00:00.000Z"])
      #expect(try await bench.times(people[2]) == ["2026-11-22T08:00:00.000Z", "2026-11-23T08:00:00.000Z"])
    }
  }

  @Test func `reminders of a due date say when it is, each with its type`() async throws {
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z")) { [user] bench in
      let body = """
        {\(to(user)),"type":"SystemAnnouncement","title":"Rent","body":"{{what}} is due {{days|inDays}}",\
        "data":{"what":"Rent"},"due":"2026-11-30","time":"09:00","timezone":"UTC",\
        "reminders":[{"offset":"-P3D"},{"offset":"-P1D"},{"offset":"P0D","type":12},{"offset":"P1D"}]}
        """
      try await bench.put("rent", body)
      try await bench.live(until: time("2026-12-02T12:00:00Z"))
      let notified = try await bench.notified(user)
      #expect(
        notified.map(\.body) == [
          "Rent is due in 3 days", "Rent is due tomorrow", "Rent is due today", "Rent is due yesterday",
        ]
      )
      #expect(
        notified.map(\.at) == [
          time("2026-11-27T09:00:00Z"), time("2026-11-29T09:00:00Z"), time("2026-11-30T09:00:00Z"),
          time("2026-12-01T09:00:00Z"),
        ]
      )
      let types = try await bench.client.query("SELECT type FROM notifications ORDER BY created_at")
      #expect(try types.map { try $0.get(0, as: Int.self) }[2] == 12)
      #expect(bench.deadLettered.isEmpty)
    }
  }

  @Test func `after a standstill what is young is sent once, and what is old is skipped and logged`() async throws {
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z")) { [user] bench in
      let definition = #"{\#(to(user)),"type":12,"recurrence":"FREQ=DAILY","time":"09:00","timezone":"UTC"}"#
      try await bench.put("morning", definition)
      try await bench.look()
      // Nothing looks for three days.
      bench.clock.now = time("2026-11-25T14:00:00Z")
      try await bench.live(until: time("2026-11-25T20:00:00Z"))
      #expect(try await bench.times(user) == ["2026-11-25T09:00:00.000Z"])
      let skipped = bench.log.all.filter { $0.text.contains("too late") }
      #expect(skipped.count == 1)
      #expect(skipped.allSatisfy { $0.text.contains("2026-11-23") })
    }
  }

  @Test(arguments: ScheduleBench.Death.allCases)
  func `a router that dies over what is due loses nothing and sends nothing twice`(
    _ death: ScheduleBench.Death
  ) async throws {
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z")) { bench in
      let people = (0..<25).map { _ in UserID(UUID()) }
      for (index, user) in people.enumerated() where index % 3 > 0 {
        try await bench.settle(user, in: index % 3 == 1 ? "Europe/Berlin" : "Europe/Paris")
      }
      try await GroupStore(client: bench.client).replace("team", members: people)
      let definition = #"{"to":{"group":"team"},"type":12,"recurrence":"FREQ=DAILY","time":"19:00"}"#
      try await bench.put("evening", definition)
      let id = RequestID(now: bench.clock.now)
      try await bench.publish(#"{"to":{"group":"team"},"type":12,"sendAt":"2026-11-22T18:00:00Z"}"#, id: id)
      try await bench.route()
      try await bench.look()
      bench.clock.now = time("2026-11-22T18:00:00Z")
      try await bench.look(dying: death)
      if death != .beforePublishing { try await bench.route() }
      // Its claims hold a minute.
      bench.clock.now += 30
      try await bench.look()
      try await bench.live(until: time("2026-11-23T12:00:00Z"))
      for (index, user) in people.enumerated() {
        let evening = index % 3 == 0 ? "2026-11-22T19:00:00.000Z" : "2026-11-22T18:00:00.000Z"
        #expect(try await bench.times(user).sorted() == ["2026-11-22T18:00:00.000Z", evening].sorted())
      }
      #expect(bench.deadLettered.isEmpty)
    }
  }

  @Test func `routers that look at once hand on each thing once`() async throws {
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z")) { bench in
      for index in 0..<300 {
        let definition = #"{"to":{"users":["\#(UserID(UUID()))"]},"type":12,"sendAt":"2026-11-22T13:00:00Z"}"#
        try await bench.put("key-\(index)", definition)
      }
      while try await bench.look() {}
      bench.clock.now = time("2026-11-22T13:00:00Z")
      try await withThrowingTaskGroup { group in
        for _ in 0..<4 { group.addTask { while try await bench.look() {} } }
        try await group.waitForAll()
      }
      while try await bench.look() {}
      let due = try bench.comingDue
      #expect(due.count == 300)
      #expect(Set(due.map(\.requestId)).count == 300)
    }
  }

  @Test func `sends that are due are handed on whatever schedules are to be planned`() async throws {
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z")) { [user] bench in
      let definition = #"{\#(to(user)),"type":12,"recurrence":"FREQ=DAILY","time":"13:00"}"#
      for index in 0..<3 { try await bench.put("key-\(index)", definition) }
      let id = RequestID(now: bench.clock.now)
      try await bench.publish(#"{\#(to(user)),"type":12,"sendAt":"2026-11-22T13:00:00Z"}"#, id: id)
      try await bench.route()
      bench.clock.now = time("2026-11-22T13:00:00Z")
      #expect(try await !bench.look(at: [.sends]))
      #expect(try bench.comingDue.map(\.requestId) == [id])
      try await bench.look(at: [.schedules])
      #expect(try bench.comingDue.count == 4)
    }
  }

  @Test func `a COUNT that was stored uncounted is counted second by second, and sent as often as it says`()
    async throws
  {
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z")) { [user] bench in
      let rule = "FREQ=DAILY;COUNT=20782"  // until 2026-11-24
      let body =
        #"{\#(to(user)),"type":12,"recurrence":"\#(rule)","time":"13:00","start":"1970-01-01","timezone":"UTC"}"#
      try await bench.put("old", body)
      try await bench.look()
      let row = try await bench.client.query("SELECT next_at, plan FROM schedules").first
      #expect(try row?.get(0, as: Date.self) == bench.clock.now + 1)
      let plan = try #require(try row?.get(1, as: String?.self).flatMap { RecurrencePlan(json: $0) })
      #expect((1_900...2_000).contains(try #require(plan.progress?.count)))
      try await bench.live(until: time("2026-11-27T12:00:00Z"))
      #expect(try await bench.times(user) == ["22", "23", "24"].map { "2026-11-\($0)T13:00:00.000Z" })
      #expect(try await bench.client.query("SELECT FROM schedules WHERE next_at IS NULL").count == 1)
    }
  }

  @Test func `a schedule that the catalogue no longer serves waits for one that does`() async throws {
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z")) { [user] bench in
      try await bench.put("gone", #"{\#(to(user)),"type":9999,"recurrence":"FREQ=DAILY","time":"13:00"}"#)
      try await bench.live(until: time("2026-11-22T13:00:00Z"))
      #expect(bench.log.all.contains { $0.text.contains("cannot be planned") })
      // It is mended by its owner.
      try await bench.put("gone", #"{\#(to(user)),"type":12,"recurrence":"FREQ=DAILY","time":"14:00"}"#)
      try await bench.live(until: time("2026-11-22T14:00:00Z"))
      #expect(try await bench.times(user) == ["2026-11-22T14:00:00.000Z"])
    }
  }

  @Test func `of many that wait for one type there is one line`() async throws {
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z")) { [user] bench in
      for number in 1...3 {
        try await bench.put("gone-\(number)", #"{\#(to(user)),"type":9999,"recurrence":"FREQ=DAILY","time":"13:00"}"#)
      }
      try await bench.look()
      let lines = bench.log.all.filter { $0.text.contains("cannot be planned") }
      #expect(lines.count == 1)
      #expect(lines.first?.text.contains("9999") == true)
    }
  }

  @Test func `a schedule is told by a version that its router has not seen yet`() async throws {
    let versions = CatalogueVersionsInMemory()
    let catalogues = try CatalogueInForce(file: "", store: versions, logger: .quiet)
    try await catalogues.refresh()
    try await ScheduleBench.with(at: time("2026-11-22T12:00:00Z"), catalogues: catalogues) { [user] bench in
      versions.apply(
        """
        version: 1
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 7, title: T, body: B }
        types: [{ code: 900, name: DinnerIsReady, category: Household }]
        """
      )
      for (key, type) in [("dinner", 900), ("gone", 901)] {
        try await bench.put(key, #"{\#(to(user)),"type":\#(type),"sendAt":"2026-11-22T12:00:01Z"}"#)
      }
      bench.clock.now = time("2026-11-22T12:00:02Z")
      try await bench.look()
      #expect(try bench.comingDue.map(\.catalogueVersion) == [1])
      let lines = bench.log.all.filter { $0.text.contains("cannot be planned") }
      #expect(lines.count == 1 && lines.first?.text.contains("901") == true)
    }
  }

  @Test func `an instant that is moved is sent at each, though on one day`() async throws {
    try await ScheduleBench.with(at: time("2026-11-22T08:00:00Z")) { [user] bench in
      for hour in ["09", "15"] {
        try await bench.put(
          "call",
          #"{\#(to(user)),"type":12,"body":"{{date}}","sendAt":"2026-11-22T\#(hour):00:00Z"}"#
        )
        try await bench.live(until: time("2026-11-22T\(hour):30:00Z"))
      }
      let notified = try await bench.notified(user)
      #expect(notified.map(\.body) == ["2026-11-22", "2026-11-22"])
      #expect(notified.map(\.at) == [time("2026-11-22T09:00:00Z"), time("2026-11-22T15:00:00Z")])
    }
  }
}
