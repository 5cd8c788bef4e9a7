import Foundation
import BelfryJSON
import NotificationModel
import Recurrence
import Testing
import WallClock

/// What `PUT /api/v1/schedules/{key}` takes.
@Suite struct ScheduleDefinitionTests {
  private let catalogue: Catalogue
  private let today = LocalDate("2026-11-22")!

  init() throws {
    catalogue = try Catalogue()
  }

  private func schedule(_ fields: String, to audience: String = #"{"group":"g"}"#) throws -> Schedule {
    let json = #"{"to":\#(audience),\#(fields)}"#
    return try FieldReader.read(ScheduleDefinition.self, from: Array(json.utf8))
      .resolve(in: catalogue, startingOn: today)
  }

  private func problems(_ fields: String) -> [String] {
    do {
      _ = try schedule(fields)
      return []
    } catch let error as ValidationError {
      return error.errors.map(\.field)
    } catch {
      return ["\(error)"]
    }
  }

  @Test func `a recurrence begins on the day it was made, unless it says when`() throws {
    let plain = try schedule(#""type":12,"recurrence":"FREQ=DAILY","time":"19:00""#)
    guard case .recurring(let rule, let start, let time, let lateness) = plain.timing else {
      Issue.record("expected a recurrence")
      return
    }
    #expect(rule.description == "FREQ=DAILY")
    #expect(start == today)
    #expect(time.description == "19:00:00")
    #expect(lateness == 6 * 3_600)
    #expect(plain.followsRecipients)
    let other = try schedule(
      #""type":12,"recurrence":"FREQ=DAILY","time":"19:00","start":"2027-01-01","lateness":"PT10M","timezone":"Asia/Tokyo""#
    )
    #expect(other.timing.lateness == 600)
    #expect(other.zone?.identifier == "Asia/Tokyo")
    #expect(
      other.next(1, after: .init(timeIntervalSince1970: 0), in: .utc).instants == [
        Date(rfc3339: "2027-01-01T10:00:00Z")
      ]
    )
  }

  @Test func `templates are the catalogue's, and bring type, rule and time`() throws {
    let review = try schedule(#""template":"monthly-financial-review""#)
    #expect(catalogue.type(review.request.type)?.name == "MonthlyFinancialReview")
    let next = review.next(2, after: try #require(Date(rfc3339: "2026-11-22T00:00:00Z")), in: .utc).instants
    #expect(next == [Date(rfc3339: "2026-12-01T09:00:00Z"), Date(rfc3339: "2027-01-01T09:00:00Z")])
    for template in catalogue.schedules { _ = try schedule(#""template":"\#(template.name)""#) }
  }

  @Test(arguments: [
    (#""type":12"#, ["recurrence"]),
    (#""type":12,"recurrence":"FREQ=DAILY","due":"2026-12-01","time":"09:00""#, ["due"]),
    (#""type":12,"recurrence":"FREQ=HOURLY","time":"09:00""#, ["recurrence"]),
    (#""type":12,"recurrence":"FREQ=DAILY;BYSETPOS=1","time":"09:00""#, ["recurrence"]),
    (#""type":12,"recurrence":"FREQ=DAILY""#, ["time"]),
    (#""type":12,"recurrence":"FREQ=DAILY","time":"25:00""#, ["time"]),
    (#""type":12,"recurrence":"FREQ=DAILY","time":"09:00","start":"2026-02-30""#, ["start"]),
    (#""type":12,"recurrence":"FREQ=DAILY","time":"09:00","lateness":"6h""#, ["lateness"]),
    (#""type":12,"recurrence":"FREQ=DAILY","time":"09:00","timezone":"Mars/Olympus""#, ["timezone"]),
    (#""type":12,"recurrence":"FREQ=DAILY","time":"09:00","expiresAt":"2027-01-01T00:00:00Z""#, ["expiresAt"]),
    (#""type":12,"recurrence":"FREQ=DAILY","time":"09:00","data":{"days":"1"}"#, ["data.days"]),
    (#""type":12,"recurrence":"FREQ=DAILY","time":"09:00","title":"{{goal}}""#, ["title"]),
    (#""type":12,"recurrence":"FREQ=DAILY","time":"09:00","body":"{{days|nonsense}}""#, ["body"]),
    (#""type":12,"recurrence":"FREQ=DAILY","time":"09:00","tiem":"09:00""#, ["tiem"]),
    (#""type":12,"due":"2026-12-01","time":"09:00""#, ["reminders"]),
    (#""type":12,"due":"2026-12-01","time":"09:00","reminders":[]"#, ["reminders"]),
    (#""type":12,"due":"2026-12-01","time":"09:00","reminders":[{"offset":"7 days"}]"#, ["reminders[0].offset"]),
    (
      #""type":12,"due":"2026-12-01","time":"09:00","reminders":[{"offset":"-P7D"},{"offset":"-P1W"}]"#,
      ["reminders[1].offset"]
    ),
    (
      #""type":12,"due":"2026-12-01","time":"09:00","reminders":[{"offset":"P0D","type":9999}]"#, ["reminders[0].type"]
    ),
    (#""type":12,"sendAt":"2027-01-01T00:00:00Z","time":"09:00""#, ["time"]),
    (#""type":12,"template":"daily-log-reminder""#, ["type"]),
    (#""template":"nonsense""#, ["template"]),
    (#""template":"daily-log-reminder","time":"09:00""#, ["time"]),
    (#""type":10,"recurrence":"FREQ=DAILY","time":"09:00""#, ["data.amount", "data.balance"]),
    (#""type":9999,"recurrence":"FREQ=DAILY","time":"09:00""#, ["type"]),
  ])
  func `what cannot be carried out is refused with every field's name`(_ fields: String, _ expected: [String]) {
    #expect(problems(fields) == expected)
  }

  @Test(arguments: [("2026-11-24", "in 7 days"), ("2026-11-30", "tomorrow"), ("2026-12-01", "today")])
  func `texts are templates over the days, in words`(_ date: String, _ words: String) throws {
    let json =
      #"{"to":{"group":"g"},"type":12,"title":"Rent","body":"{{what}} is due {{days|inDays}}, {{due|date}}","data":{"what":"Rent"}}"#
    let request = try FieldReader.read(SendRequest.self, from: Array(json.utf8))
    let due = try #require(LocalDate("2026-12-01"))
    let days = due.dayNumber - (try #require(LocalDate(date))).dayNumber
    let wording = request.wording(with: ["days": "\(days)", "due": "\(due)", "date": date], in: catalogue)
    #expect(wording.title == "Rent")
    #expect(wording.body == "Rent is due \(words), December 1, 2026")
    #expect(wording.own == OwnTemplates(title: request.title, body: request.body))
  }

  @Test func `what is sent is the definition without its times, and of the occurrence's type`() throws {
    let json =
      #"{"to":{"group":"g"},"type":12,"recurrence":"FREQ=DAILY","time":"09:00","silent":true,"data":{"n":1.50}}"#
    let definition = try JSONParser.parse(Array(json.utf8))
    let send = ScheduleDefinition.send(of: definition, type: .name("GoalReached"))
    #expect(JSONWriter.text(send) == #"{"to":{"group":"g"},"silent":true,"data":{"n":1.50},"type":"GoalReached"}"#)
    #expect(try FieldReader.read(SendRequest.self, from: send).isSilent)
  }

  @Test func `a send waits if its instant was ahead when it was accepted, whatever the time is now`() throws {
    func send(_ sendAt: String) throws -> SendRequest {
      let json = #"{"to":{"group":"g"},"type":12,"sendAt":"\#(sendAt)"}"#
      return try FieldReader.read(SendRequest.self, from: Array(json.utf8))
    }
    let accepted = try #require(Date(rfc3339: "2026-11-22T08:00:00Z"))
    #expect(try send("2026-11-22T08:00:00Z").waits(since: accepted) == nil)
    #expect(try send("2026-11-22T09:00:01+01:00").waits(since: accepted) == accepted + 1)
    try send("2027-11-22T08:00:00Z").checkTime(since: accepted)
    #expect(throws: ValidationError.self) { try send("2027-12-22T08:00:00Z").checkTime(since: accepted) }
    #expect(throws: ValidationError.self) {
      try FieldReader.read(
        SendRequest.self,
        from: Array(
          #"{"to":{"group":"g"},"type":12,"sendAt":"2027-01-02T00:00:00Z","expiresAt":"2027-01-01T00:00:00Z"}"#.utf8
        )
      )
    }
  }
}
