import Testing
import TestSupport

@testable import OperatorCLI

/// `belfry schedules`
@Suite struct ScheduleCommandTests {
  private static let bins = """
    {"owner":"shop","key":"bins","to":{"group":"g"},"type":"SystemAnnouncement","recurrence":"FREQ=WEEKLY;BYDAY=MO",\
    "time":"19:00","next":["2026-11-23T19:00:00.000Z","2026-11-30T19:00:00.000Z"],"nextIsComplete":true,\
    "createdAt":"c","updatedAt":"u"}
    """

  private static func list(_ next: String) -> String {
    let once =
      #"{"owner":"shop","key":"once","to":{},"type":99,"sendAt":"2026-12-01T17:30:00Z","next":[],"nextIsComplete":false}"#
    let rent =
      #"{"owner":"shop","key":"rent","to":{},"template":"t","due":"2026-11-30","time":"09:00","timezone":"UTC","next":[]}"#
    return #"{"schedules":[\#(bins),\#(once),\#(rent)],"hasMore":\#(next != "null"),"next":\#(next)}"#
  }

  @Test func `schedules are listed with when they come, and a list says how to go on`() async throws {
    try await StubGateway.with { question in
      .init(body: Self.list(question.path.contains("after") ? "null" : #""c2hv""#))
    } _: { gateway in
      let list = ["schedules", "list", "--owner", "a shop", "--timezone", "Europe/Berlin", "--limit", "3"]
      let first = try await CommandRun.run(list, at: gateway)
      #expect(
        first.cells == [
          ["owner", "key", "when", "type", "next"],
          ["shop", "bins", "FREQ=WEEKLY;BYDAY=MO 19:00", "SystemAnnouncement", "2026-11-23T19:00:00.000Z"],
          ["shop", "once", "at 2026-12-01T17:30:00Z", "99", "?"],
          ["shop", "rent", "around 2026-11-30 09:00 UTC", "t", "-"], ["There are more: --after c2hv"],
        ]
      )
      let last = try await CommandRun.run(["schedules", "list", "--after", "c2hv"], at: gateway)
      #expect(last.lines.count == 4)
      #expect(
        gateway.asked.map(\.line) == [
          "GET /api/v1/admin/schedules?pageSize=3&owner=a%20shop&timezone=Europe%2FBerlin",
          "GET /api/v1/admin/schedules?pageSize=20&after=c2hv",
        ]
      )
    }
    try await StubGateway.with { _ in
      .init(body: #"{"schedules":[],"hasMore":false,"next":null}"#)
    } _: { gateway async throws in
      #expect(try await CommandRun.run(["schedules", "list"], at: gateway).lines == ["No schedules."])
    }
  }

  @Test func `what is shown as JSON can be put again`() async throws {
    try await StubGateway.with { _ in
      .init(body: Self.bins)
    } _: { gateway in
      let shown = try await CommandRun.run(["schedules", "show", "bins/a", "--owner", "shop"], at: gateway)
      #expect(shown.lines.contains("recurrence: FREQ=WEEKLY;BYDAY=MO") && shown.lines.contains(#"to: {"group":"g"}"#))
      #expect(shown.lines.contains("next: 2026-11-23T19:00:00.000Z, 2026-11-30T19:00:00.000Z"))
      let json = try await CommandRun.run(["schedules", "show", "bins", "--json"], at: gateway)
      let put = try await CommandRun.run(["schedules", "put", "bins", "--new"], at: gateway, input: json.output)
      #expect(put.failure == nil)
      #expect(gateway.asked[0].path == "/api/v1/schedules/bins%2Fa?owner=shop")
      let sent = try #require(gateway.asked.last)
      #expect(sent.line == "PUT /api/v1/schedules/bins" && sent.headers["if-none-match"] == "*")
      let definition =
        #"{"to":{"group":"g"},"type":"SystemAnnouncement","recurrence":"FREQ=WEEKLY;BYDAY=MO","time":"19:00"}"#
      #expect(sent.body == definition)
    }
  }

  @Test func `a schedule ends where somebody says yes`() async throws {
    try await StubGateway.with { _ in
      .init(status: 204, body: "")
    } _: { gateway in
      let delete = ["schedules", "delete", "bins", "--owner", "shop"]
      let refused = try await CommandRun.run(delete, at: gateway, answer: "")
      #expect(refused.notes == "End the schedule bins of shop? [y/N] " && refused.failure == "Nothing was done.")
      #expect(try await CommandRun.run(delete, at: gateway).failure?.contains("--yes") == true)
      #expect(gateway.asked.isEmpty)
      for run in [
        try await CommandRun.run(delete, at: gateway, answer: "y"),
        try await CommandRun.run(delete + ["--yes"], at: gateway),
      ] { #expect(run.lines == ["bins has ended."]) }
      #expect(gateway.asked.map(\.line) == Array(repeating: "DELETE /api/v1/schedules/bins?owner=shop", count: 2))
    }
  }

  @Test(arguments: ["", "[1]", "{"])
  func `a file that is no object is refused, and nothing is sent`(_ text: String) async throws {
    try await StubGateway.with { _ in
      .init(body: Self.bins)
    } _: { gateway in
      let run = try await CommandRun.run(["schedules", "put", "bins"], at: gateway, input: text)
      #expect(run.failure?.hasPrefix("standard input: ") == true)
      #expect(gateway.asked.isEmpty)
    }
  }

  @Test func `who names no schedule of their own is told to say whose`() async throws {
    try await StubGateway.with { _ in
      .init(status: 404, body: #"{"title":"There is no such resource"}"#)
    } _: { gateway in
      let run = try await CommandRun.run(["schedules", "show", "bins"], at: gateway)
      #expect(run.failure?.contains("--owner") == true)
    }
  }
}
