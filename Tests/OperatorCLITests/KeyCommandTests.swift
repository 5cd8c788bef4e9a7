import Testing
import TestSupport

@testable import OperatorCLI

/// `belfry keys`
@Suite struct KeyCommandTests {
  private static let id = "7d0d2f86-0b7e-4b7c-9d61-1f2f3b0d8a10"

  @Test func `a key is made with its scopes and shown once`() async throws {
    let made = #"{"id":"\#(Self.id)","name":"shop","scopes":["send","read"],"key":"belfry_k"}"#
    try await StubGateway.with { _ in
      .init(status: 201, body: made)
    } _: { gateway in
      let run = try await CommandRun.run(["keys", "make", "shop", "--scope", "read", "--scope", "send"], at: gateway)
      #expect(
        run.lines == [
          "id: \(Self.id)", "name: shop", "scopes: send, read", "key: belfry_k",
          "Keep the key now: only its hash is stored.",
        ]
      )
      #expect(try await CommandRun.run(["keys", "make", "shop", "--json"], at: gateway).output == made + "\n")
      #expect(gateway.asked.map(\.line) == Array(repeating: "POST /api/v1/admin/api-keys", count: 2))
      #expect(gateway.asked.map(\.body) == [#"{"name":"shop","scopes":["send","read"]}"#, #"{"name":"shop"}"#])
    }
  }

  @Test func `keys are listed, and one is revoked`() async throws {
    let key = #"{"id":"\#(Self.id)","name":"shop","scopes":["send"],"createdAt":"c","lastUsedAt":null}"#
    try await StubGateway.with { question in
      question.method == "DELETE"
        ? .init(status: 204, body: "") : .init(body: #"{"apiKeys":[\#(key)],"hasMore":false,"next":null}"#)
    } _: { gateway in
      let list = try await CommandRun.run(["keys", "list"], at: gateway)
      #expect(
        list.cells == [["id", "name", "scopes", "since", "last used"], [Self.id, "shop", "send", "c", "-"]]
      )
      let revoke = ["keys", "revoke", Self.id]
      let refused = try await CommandRun.run(revoke, at: gateway, answer: "")
      #expect(refused.notes.hasPrefix("Revoke the key \(Self.id)?") && refused.failure == "Nothing was done.")
      #expect(try await CommandRun.run(revoke, at: gateway).failure?.contains("--yes") == true)
      #expect(gateway.asked.map(\.method) == ["GET"])
      for run in [
        try await CommandRun.run(revoke, at: gateway, answer: "y"),
        try await CommandRun.run(revoke + ["--yes"], at: gateway),
      ] { #expect(run.lines == ["\(Self.id) is revoked."]) }
      let line = "DELETE /api/v1/admin/api-keys/\(Self.id)"
      #expect(gateway.asked.suffix(2).map(\.line) == [line, line] && gateway.asked.count == 3)
    }
  }

  @Test(arguments: [
    ["keys", "make", ""], ["keys", "make", "shop", "--scope", "all"], ["keys", "revoke", "shop"],
    ["keys", "list", "--limit", "101"],
  ])
  func `what cannot be asked is refused before anybody is asked`(_ arguments: [String]) async {
    await #expect(throws: (any Error).self) { _ = try await CommandRun.run(arguments) }
  }
}
