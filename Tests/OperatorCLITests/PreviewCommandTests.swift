import ConsoleCommands
import Testing
import TestSupport

@testable import OperatorCLI

/// `belfry preview`
@Suite struct PreviewCommandTests {
  private static let answer =
    #"{"type":10,"typeName":"AllowanceDeposit","locale":"en","channels":{"#
    + #""push":{"title":"Allowance\u001b","body":"$5.00"},"email":{"title":"Allowance","body":"Dear Ann,\n\nbye"}}}"#

  @Test func `texts are shown by channel, line by line`() async throws {
    try await StubGateway.with { _ in
      .init(body: Self.answer)
    } _: { gateway in
      let data = ["--data", "amount=$5.00", "--data", "why=a=b", "--data", "amount=$6.00"]
      let run = try await CommandRun.run(["preview", "AllowanceDeposit"] + data + ["--locale", "de-AT"], at: gateway)
      #expect(
        run.lines == [
          "AllowanceDeposit (10), locale en", "  push: Allowance\\u{1b}", "    $5.00", "  email: Allowance",
          "    Dear Ann,", "", "    bye",
        ]
      )
      #expect(try await CommandRun.run(["preview", "10", "--json"], at: gateway).output == Self.answer + "\n")
      #expect(gateway.asked.map(\.line) == Array(repeating: "POST /api/v1/admin/preview", count: 2))
      let named = #"{"type":"AllowanceDeposit","data":{"amount":"$6.00","why":"a=b"},"locale":"de-AT"}"#
      #expect(gateway.asked.map(\.body) == [named, #"{"type":10}"#])
    }
  }

  @Test func `a mail of other words is shown, and as HTML alone where that is asked for`() async throws {
    let mail = #""mail":{"subject":"Paid","text":"Dear Ann,\nbye\n","html":"<p>\n<b>Dear</b>\n"}}"#
    try await StubGateway.with { _ in
      .init(body: "\(Self.answer.dropLast()),\(mail)")
    } _: { gateway in
      let run = try await CommandRun.run(["preview", "10"], at: gateway)
      #expect(run.lines.suffix(3) == ["  the mail: Paid", "    Dear Ann,", "    bye"])
      let html = try await CommandRun.run(["preview", "10", "--html"], at: gateway)
      #expect(html.output == "<p>\n<b>Dear</b>\n")
    }
  }

  @Test func `the mail's HTML is written as it is, and to a terminal without what steers it`() async throws {
    let html = "<p>\t\u{200F}\u{AD}\u{200B}\u{1B}[2J\r\n\n</p>"
    let text = #""text":"one\r\ntwo\r\n""#
    let escaped = "<p>\\t\u{200F}\u{AD}\u{200B}\\u001b[2J\\r\\n\\n</p>"
    try await StubGateway.with { _ in
      .init(body: "\(Self.answer.dropLast()),\"mail\":{\"subject\":\"Paid\",\(text),\"html\":\"\(escaped)\"}}")
    } _: { gateway in
      let run = try await CommandRun.run(["preview", "10", "--html"], at: gateway)
      #expect(Array(run.output.utf8) == Array(html.utf8))
      #expect(try await CommandRun.run(["preview", "10"], at: gateway).lines.suffix(2) == ["    one", "    two"])
      let shown = await CommandRun.record(isTerminal: true) { try $0.document(html) }
      #expect(shown.output.hasPrefix("<p>\t\\u{200f}") && shown.output.contains("\\u{1b}[2J\\r"))
      #expect(shown.output.hasSuffix("\n\n</p>"))
    }
  }

  @Test func `a gateway that knows no mail, of an earlier release, is said to have none`() async throws {
    try await StubGateway.with { _ in
      .init(body: Self.answer)
    } _: { gateway in
      let run = try await CommandRun.run(["preview", "10", "--html"], at: gateway)
      #expect(run.failure?.contains("no mail") == true)
    }
  }

  @Test func `who leaves out what the texts need is told where it is listed`() async throws {
    let problem = #"{"field":"data.amount","message":"is required by the template of AllowanceDeposit"}"#
    try await StubGateway.with { _ in
      .init(status: 400, body: #"{"title":"The request is invalid","errors":[\#(problem)]}"#)
    } _: { gateway in
      let failure = try await CommandRun.run(["preview", "10"], at: gateway).failure
      #expect(
        failure?.contains("  data.amount: is required") == true && failure?.contains("`belfry types --gateway ") == true
      )
    }
  }

  @Test(arguments: [
    ["preview"], ["preview", ""], ["preview", "10", "--data", "amount"], ["preview", "10", "--html", "--json"],
  ])
  func `what cannot be worded is refused before anybody is asked`(_ arguments: [String]) async {
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(arguments) }
  }
}
