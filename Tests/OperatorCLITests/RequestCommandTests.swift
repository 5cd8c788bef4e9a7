import Testing
import TestSupport

@testable import OperatorCLI

/// `belfry requests`
@Suite struct RequestCommandTests {
  private static let id = "01a1fca2-310f-756e-8d6a-d49da1198ee2"
  private static let path = "/api/v1/requests/\(id)"

  private func show(_ members: String) async throws -> CommandRun {
    var shown: CommandRun?
    try await StubGateway.with { _ in
      .init(body: #"{"requestId":"\#(Self.id)",\#(members)}"#)
    } _: { gateway in
      shown = try await CommandRun.run(["requests", "show", Self.id.uppercased()], at: gateway)
      #expect(gateway.asked.map(\.line) == ["GET \(Self.path)"])
    }
    return try #require(shown)
  }

  @Test func `a send is reported in numbers, with why channels were left out`() async throws {
    let run = try await show(
      #""status":"accepted","recipients":3,"isComplete":true,"channels":{"#
        + #""inApp":{"delivered":3,"pending":0,"held":0,"failed":0,"skipped":{}},"#
        + #""email":{"delivered":0,"pending":1,"held":0,"failed":0,"skipped":{"preferenceOff":1,"muted":1}}}"#
    )
    #expect(
      run.cells == [
        ["\(Self.id): accepted, 3 recipients"],
        ["channel", "delivered", "pending", "held", "failed", "skipped", "why"],
        ["inApp", "3", "0", "0", "0", "0"], ["email", "0", "1", "0", "0", "2", "1 preferenceOff, 1 muted"],
      ]
    )
  }

  @Test func `a push to a topic is reported with the topic and what became of it`() async throws {
    let topic = #""audience":"topic","target":"news","outcome":"rejected","reason":"INVALID_ARGUMENT","attempts":1"#
    let run = try await show(
      #""status":"accepted","recipients":0,"isComplete":true,"channels":{},"topicDelivery":{\#(topic)}"#
    )
    #expect(run.lines == ["\(Self.id): accepted", "topic news: rejected: INVALID_ARGUMENT, 1 try"])
  }

  @Test(arguments: [
    (#""status":"scheduled","sendAt":"2026-12-01T17:30:00.000Z""#, "scheduled for 2026-12-01T17:30:00.000Z"),
    (#""status":"cancelled","cancelledAt":"2026-11-30T09:00:00.000Z""#, "cancelled at 2026-11-30T09:00:00.000Z"),
    (
      #""status":"accepted","cancelledAt":"c","recipients":1,"isComplete":true,"channels":{}"#,
      "accepted (withdrawal asked for at c, when nothing of it waited), 1 recipient"
    ),
    (
      #""status":"accepted","cancelledAt":"c","recipients":20001,"isComplete":false,"channels":{}"#,
      "accepted (withdrawal asked for at c), at least 20001 recipients"
    ),
    (
      #""status":"accepted","recipients":20001,"isComplete":false,"channels":{}"#,
      "accepted, at least 20001 recipients"
    ),
  ])
  func `a send that notified nobody yet, few or many is reported as such`(_ members: String, _ words: String)
    async throws
  {
    #expect(try await show(members).lines == ["\(Self.id): \(words)"])
  }

  @Test func `what a withdrawal left out is in the numbers`() async throws {
    let run = try await show(
      #""status":"accepted","cancelledAt":"c","recipients":2,"isComplete":true,"channels":{"#
        + #""push":{"delivered":1,"pending":0,"held":0,"failed":0,"skipped":{"cancelled":1}}}"#
    )
    #expect(run.cells.first == ["\(Self.id): accepted (withdrawal asked for at c), 2 recipients"])
    #expect(run.cells.last?.last == "1 cancelled")
  }

  @Test func `who cancels is asked first, and shown the counts`() async throws {
    let answer = #"{"cancelledCount":1,"withdrawnCount":3,"isComplete":false,"status":"accepted"}"#
    try await StubGateway.with { _ in
      .init(body: answer)
    } _: { gateway in
      let cancel = ["requests", "cancel", Self.id, "--withdraw"]
      let refused = try await CommandRun.run(cancel, at: gateway, answer: "")
      #expect(refused.notes == "Cancel what waits of \(Self.id), and take it out of inboxes? [y/N] ")
      #expect(refused.failure == "Nothing was done.")
      #expect(try await CommandRun.run(cancel, at: gateway).failure?.contains("--yes") == true)
      #expect(gateway.asked.isEmpty)
      let run = try await CommandRun.run(cancel, at: gateway, answer: "y")
      #expect(run.lines == ["1 cancelled, 3 taken out of inboxes.", "There may be more: say it again."])
      #expect(try await CommandRun.run(cancel + ["--yes", "--json"], at: gateway).output == answer + "\n")
      #expect(gateway.asked.map(\.line) == Array(repeating: "DELETE \(Self.path)?withdraw=true", count: 2))
    }
  }

  @Test(arguments: [
    (#"{"cancelledCount":1,"isComplete":true,"status":"cancelled"}"#, ["1 cancelled: nothing of it was sent."]),
    (#"{"cancelledCount":0,"isComplete":true,"status":"accepted"}"#, ["0 cancelled."]),
    (
      #"{"cancelledCount":100000,"isComplete":false,"status":"accepted"}"#,
      ["100000 cancelled.", "There may be more; they are left out when they come due."]
    ),
  ])
  func `a cancellation that leaves inboxes alone is reported as such`(_ answer: String, _ lines: [String]) async throws
  {
    try await StubGateway.with { _ in
      .init(body: answer)
    } _: { gateway in
      let run = try await CommandRun.run(["requests", "cancel", Self.id, "--yes"], at: gateway)
      #expect(run.lines == lines && run.notes.isEmpty)
      #expect(gateway.asked.map(\.line) == ["DELETE \(Self.path)"])
    }
  }

  @Test func `who may not see a request, or asks too early, is told why it is not there`() async throws {
    try await StubGateway.with { _ in
      .init(status: 404, body: #"{"title":"There is no such resource"}"#)
    } _: { gateway in
      let run = try await CommandRun.run(["requests", "show", Self.id], at: gateway)
      #expect(run.failure?.contains("once a router has stored it") == true)
    }
    try await StubGateway.with { _ in
      .init(status: 403, body: #"{"title":"This needs a service's token"}"#)
    } _: { gateway async throws in
      let run = try await CommandRun.run(["requests", "show", Self.id], at: gateway)
      #expect(run.failure?.contains("belfry token --role admin") == true)
    }
  }

  @Test(arguments: [["requests", "show"], ["requests", "show", "x"], ["requests", "cancel", "../x", "--yes"]])
  func `what is no request is refused before anybody is asked`(_ arguments: [String]) async {
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(arguments) }
  }
}
