import Foundation
import BelfryJSON
import NotificationModel
import Testing

@Suite struct EventReportTests {
  private let user = "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"

  private let now = Date(timeIntervalSince1970: 1_795_348_800)

  private func read(_ json: String) throws -> EventReport { try FieldReader.read(from: Array(json.utf8)) }

  private func report(_ payload: String, name: String = "BalanceUpdated") throws -> EventReport {
    try read(#"{"name":"\#(name)","audience":{"users":["\#(user)"]},"payload":\#(payload)}"#)
  }

  private func problems(_ body: () throws -> Void) -> [String] {
    do {
      try body()
      return []
    } catch let error as ValidationError {
      return error.errors.map { "\($0.field): \($0.message)" }
    } catch {
      return ["\(error)"]
    }
  }

  @Test func `an event names itself, its audience and its payload`() throws {
    let report = try read(
      #"{"name":"goalReached","audience":{"group":"family:1","except":["\#(user)"]},"payload":{"b":[1.50,null],"a":{}}}"#
    )
    #expect(report.name == "goalReached")
    #expect(report.audience == .group("family:1", except: [try #require(UserID(user))]))
    var writer = JSONWriter()
    writer.value(report.payload)
    #expect(writer.text == #"{"b":[1.50,null],"a":{}}"#)
    #expect(report.payloadSize == writer.bytes.count)
    #expect(try report.resolve(in: Catalogue(), now: now).name == "GoalReached")
  }

  @Test func `everything that is missing or unknown is named`() {
    #expect(problems { _ = try read("{}") } == ["name: is required", "payload: is required"])
    #expect(
      problems { _ = try read(#"{"name":"A","to":{},"audience":{"user":[]},"payload":[]}"#) } == [
        "to: is not a known field", "audience.user: is not a known field", "audience.users: is required, or group",
        "payload: expected an object",
      ]
    )
    #expect(problems { _ = try read("[]") } == [": expected a JSON object"])
  }

  @Test func `an event is for users or a group, not for everyone`() {
    #expect(
      problems { _ = try read(#"{"name":"A","audience":{"everyone":true},"payload":{}}"#) }
        == ["audience.everyone: is for sends only; use users or group"]
    )
  }

  @Test func `an event that the catalogue does not know is refused`() throws {
    let report = try report("{}", name: "Anything")
    #expect(
      problems { _ = try report.resolve(in: Catalogue(), now: now) } == [
        "name: 'Anything' is not an event of the catalogue"
      ]
    )
  }

  @Test func `an event from which nothing follows is refused, not taken in silence`() throws {
    let catalogue = try Catalogue(overrides: "{ version: 1, events: [{ name: Idle, relay: false }] }")
    let report = try report("{}", name: "idle")
    #expect(
      problems { _ = try report.resolve(in: catalogue, now: now) }
        == ["name: 'Idle' is not relayed, and no rule looks at it"]
    )
  }

  @Test func `an audience is needed where open connections are all that hears of it`() throws {
    let relayed = try read(#"{"name":"GoalReached","payload":{}}"#)
    #expect(problems { _ = try relayed.resolve(in: Catalogue(), now: now) } == ["audience: is required"])
    let evaluated = try read(#"{"name":"goalUpdated","payload":{}}"#)
    #expect(try evaluated.resolve(in: Catalogue(), now: now).name == "GoalUpdated")
    let both = try read(#"{"name":"BalanceUpdated","payload":{"childId":1,"newBalance":2}}"#)
    #expect(try both.resolve(in: Catalogue(), now: now).isRelayed)
  }

  @Test func `an event has happened by now, give or take the clocks`() throws {
    func report(_ time: String) throws -> EventReport {
      try read(#"{"name":"AppOpened","payload":{},"occurredAt":"\#(time)"}"#)
    }
    _ = try report("2026-11-22T12:00:59Z").resolve(in: Catalogue(), now: now)
    _ = try report("1999-01-01T00:00:00+02:00").resolve(in: Catalogue(), now: now)
    #expect(
      problems { _ = try report("2026-11-22T12:01:01Z").resolve(in: Catalogue(), now: now) }
        == ["occurredAt: is yet to come: expected the time at which it happened"]
    )
    #expect(problems { _ = try report("noon") } == ["occurredAt: expected a time such as 2026-01-31T08:00:00Z"])
  }

  @Test(arguments: [#"{"childId":1}"#, #"{"childId":1,"newBalance":null}"#, #"{"childId":1,"NewBalance":2}"#])
  func `the payload holds what travels as an argument`(_ payload: String) throws {
    let report = try report(payload)
    #expect(
      problems { _ = try report.resolve(in: Catalogue(), now: now) }
        == ["payload.newBalance: is required as an argument of BalanceUpdated"]
    )
  }

  @Test func `a payload is as large as the limit and no larger, whatever white space it came with`() throws {
    let limit = EventReport.maximumPayload
    let text = String(repeating: "x", count: limit - #"{"a":""}"#.utf8.count)
    #expect(try report(#"{ "a" : "\#(text)" }"#).payloadSize == limit)
    #expect(
      problems { _ = try report(#"{"a":"\#(text)y"}"#) }
        == ["payload: has \(limit + 1) bytes; at most \(limit) are allowed"]
    )
  }

  @Test func `a payload is nested as deep as the limit and no deeper`() throws {
    func nested(_ depth: Int) -> String {
      #"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
    }
    _ = try report(nested(EventReport.maximumDepth))
    #expect(
      problems { _ = try report(nested(EventReport.maximumDepth + 1)) } == ["payload: is nested more than 16 deep"]
    )
  }
}
