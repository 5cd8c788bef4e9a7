import Testing
import TestSupport

@testable import OperatorCLI

/// `belfry suppressions`
@Suite struct SuppressionCommandTests {
  private static let entry = #"""
    {"address":"ann@example.org","reason":"hardBounce","since":"s","source":"smtp","diagnostic":"550 5.1.1","lastAt":"l","userId":null}
    """#

  @Test func `addresses are listed by reason, with who said so`() async throws {
    try await StubGateway.with { _ in
      .init(body: #"{"suppressions":[\#(Self.entry)],"hasMore":true,"next":"c-1"}"#)
    } _: { gateway in
      let list = try await CommandRun.run(
        ["suppressions", "list", "--reason", "hardBounce", "--address", "ann@example.org", "--limit", "1"],
        at: gateway
      )
      #expect(
        list.lines.first?.split(separator: " ", omittingEmptySubsequences: true).first == "address"
      )
      #expect(list.output.contains("ann@example.org") && list.output.contains("550 5.1.1"))
      #expect(list.lines.last == "There are more: --after c-1")
      let path = "GET /api/v1/admin/suppressions?address=ann%40example.org&reason=hardBounce&pageSize=1"
      #expect(gateway.asked.map(\.line) == [path])
    }
  }

  @Test func `none is said as none`() async throws {
    try await StubGateway.with { _ in
      .init(body: #"{"suppressions":[],"hasMore":false,"next":null}"#)
    } _: { gateway in
      let run = try await CommandRun.run(["suppressions", "list"], at: gateway)
      #expect(run.lines == ["No address is suppressed."])
    }
  }

  @Test func `one is added by hand, and one is removed with consent`() async throws {
    try await StubGateway.with { question in
      question.method == "DELETE" ? .init(status: 204, body: "") : .init(status: 201, body: Self.entry)
    } _: { gateway in
      let added = try await CommandRun.run(["suppressions", "add", "ann@example.org"], at: gateway)
      #expect(added.lines.first == "address: ann@example.org")
      #expect(gateway.asked.map(\.body) == [#"{"address":"ann@example.org","reason":"manual"}"#])
      let remove = ["suppressions", "remove", "ann@example.org"]
      #expect(try await CommandRun.run(remove, at: gateway, answer: "").failure == "Nothing was done.")
      #expect(gateway.asked.count == 1)
      let removed = try await CommandRun.run(remove + ["--yes"], at: gateway)
      #expect(removed.lines == ["ann@example.org gets mails again."])
      #expect(gateway.asked.last?.line == "DELETE /api/v1/admin/suppressions/ann%40example.org")
    }
  }

  @Test(arguments: [
    ["suppressions", "add", "ann"], ["suppressions", "remove", ""], ["suppressions", "list", "--reason", "spam"],
    ["suppressions", "list", "--address", "ann"],
  ])
  func `what cannot be asked is refused before anybody is asked`(_ arguments: [String]) async {
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(arguments) }
  }
}
