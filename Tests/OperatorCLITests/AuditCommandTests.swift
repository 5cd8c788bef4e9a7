import Testing
import TestSupport

@testable import OperatorCLI

/// `belfry audit`
@Suite struct AuditCommandTests {
  private static let entries = """
    {"at":"a","actor":"ops","action":"apiKey.create","subject":"k","requestId":"r"},\
    {"at":"b","actor":"self","action":"user.erase","subject":null,"detail":{"devices":2},"requestId":null},\
    {"at":"c","actor":"ops\\u001b","action":"deadLetters.discard","subject":"belfry.push",\
    "detail":{"ids":["\(String(repeating: "i", count: 200))"]},"requestId":"s"}
    """

  @Test func `the audit log is a table, which says how to go on and cuts what is long`() async throws {
    let answer = #"{"entries":[\#(Self.entries)],"hasMore":true,"next":"17"}"#
    try await StubGateway.with { _ in
      .init(body: answer)
    } _: { gateway in
      let run = try await CommandRun.run(["audit", "--limit", "3"], at: gateway)
      let ids = #"{"ids":[""# + String(repeating: "i", count: 110) + "…"
      #expect(
        run.cells == [
          ["at", "who", "what", "to", "request", "details"], ["a", "ops", "apiKey.create", "k", "r", "-"],
          ["b", "self", "user.erase", "-", "-", #"{"devices":2}"#],
          ["c", "ops\\u{1b}", "deadLetters.discard", "belfry.push", "s", ids], ["There are more: --after 17"],
        ]
      )
      #expect(try await CommandRun.run(["audit", "--after", "17", "--json"], at: gateway).output == answer + "\n")
      #expect(
        gateway.asked.map(\.line) == [
          "GET /api/v1/admin/audit?pageSize=3", "GET /api/v1/admin/audit?pageSize=20&after=17",
        ]
      )
    }
  }

  @Test func `an empty log is reported`() async throws {
    try await StubGateway.with { _ in
      .init(body: #"{"entries":[],"hasMore":false,"next":null}"#)
    } _: { gateway async throws in
      #expect(try await CommandRun.run(["audit"], at: gateway).lines == ["Nothing was done."])
    }
  }
}
