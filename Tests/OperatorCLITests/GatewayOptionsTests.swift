import Authentication
import Foundation
import Settings
import TestSupport
import Testing

@testable import OperatorCLI

/// Which gateway is asked, as whom, and what is said of its answer.
@Suite struct GatewayOptionsTests {
  private static let secret = String(repeating: "s", count: 32)
  private static let ann = "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"

  private func access(_ variables: [String: String], url: String? = nil, token: String? = nil) throws -> GatewayAccess {
    let settings = Settings(variables: variables)
    let access = GatewayAccess(settings, url: url, token: token)
    try settings.validate()
    return access
  }

  @Test(arguments: [(nil, nil), ("http://b", nil), (nil, "typed"), ("http://b", "typed")])
  func `what is typed wins over the settings`(_ url: String?, _ token: String?) async throws {
    let settings = [
      "BELFRY_CLI_GATEWAY_URL": "http://a", "BELFRY_CLI_TOKEN": "kept", "BELFRY_AUTH_SECRET": Self.secret,
    ]
    let access = try access(settings, url: url, token: token)
    #expect(access.url == url ?? "http://a")
    #expect(try access.token(as: .admin) == token ?? "kept")
  }

  @Test func `who has a token needs nothing to mint one with`() async throws {
    let kept = try access(["BELFRY_CLI_TOKEN": "kept", "BELFRY_AUTH_JWKS_FILE": "/keys.json"], url: "http://b")
    #expect(try kept.token(as: .admin) == "kept")
    let typed = try access(["BELFRY_CLI_GATEWAY_URL": "http://a"], token: "typed")
    #expect(try typed.token(as: .admin) == "typed" && typed.url == "http://a")
  }

  @Test func `without a token one is minted, and without an address nobody is asked`() async throws {
    let minted = try access(["BELFRY_AUTH_SECRET": Self.secret, "BELFRY_CLI_TOKEN": ""], url: "http://b")
      .token(as: .service)
    let verifier = try TokenVerifier(
      configuration: TokenVerifierConfiguration(Settings(variables: ["BELFRY_AUTH_SECRET": Self.secret]))
    )
    #expect(try verifier.verify(minted).roles == [.service])
    let error = #expect(throws: StartError.self) { try access(["BELFRY_CLI_TOKEN": "kept"]) }
    #expect(error.map { "\($0)".contains("BELFRY_CLI_GATEWAY_URL is required") && !"\($0)".contains("kept") } == true)
  }

  @Test func `a send and an explanation are asked through the same options`() async throws {
    try await StubGateway.with { _ in
      .init(status: 202, body: #"{"requestId":"r","status":"accepted"}"#)
    } _: { gateway in
      let send = ["send", "--to", Self.ann, "--type", "99", "--idempotency-key", "k"]
      #expect(try await CommandRun.run(send, at: gateway).lines == ["Accepted: request r"])
      let json = try await CommandRun.run(send + ["--json"], at: gateway)
      #expect(json.lines == [#"{"requestId":"r","status":"accepted"}"#])
      #expect(gateway.asked.map(\.line) == Array(repeating: "POST /api/v1/notifications", count: 2))
      #expect(gateway.asked.allSatisfy { $0.headers["idempotency-key"] == "k" })
    }
    try await StubGateway.with { _ in
      .init(body: "{}")
    } _: { gateway in
      let run = try await CommandRun.run(["explain", "history", Self.ann, "--limit", "3"], at: gateway)
      #expect(run.failure?.contains("cannot be read") == true)
      #expect(gateway.asked.map(\.line) == ["GET /api/v1/admin/notifications?user=\(Self.ann)&limit=3"])
    }
  }

  @Test func `a problem is reported with each field, escaped, and with what to do`() async throws {
    let problem = """
      {"type":"urn:belfry:problem:validation","title":"The request is invalid","status":400,"detail":"x",\
      "errors":[{"field":"email","message":"expected an address\\u001b"},{"field":"","message":"names nothing"}]}
      """
    try await StubGateway.with { _ in
      .init(status: 400, body: problem)
    } _: { gateway in
      let run = try await CommandRun.run(["users", "set", Self.ann], at: gateway)
      #expect(
        run.failure == """
          PUT /api/v1/users/\(Self.ann) was answered with 400: The request is invalid
            email: expected an address\\u{1b}
            names nothing
          """
      )
    }
    let limit = #"{"title":"The group is full","status":409,"detail":"a group has at most 10000000 members"}"#
    try await StubGateway.with { _ in
      .init(status: 409, body: limit)
    } _: { gateway in
      let run = try await CommandRun.run(["groups", "add", "g", Self.ann], at: gateway)
      #expect(run.failure?.hasSuffix("409: The group is full: a group has at most 10000000 members") == true)
    }
  }

  @Test func `where nobody answers, or something else does, that is reported`() async throws {
    let arguments = ["stats", "--gateway", "http://127.0.0.1:1", "--token", "t"]
    #expect(try await CommandRun.run(arguments).failure?.contains("Nobody answers at http://127.0.0.1:1.") == true)
    try await StubGateway.with { _ in
      .init(body: "<html>")
    } _: { gateway async throws in
      #expect(try await CommandRun.run(["stats"], at: gateway).failure?.contains("--json") == true)
      #expect(try await CommandRun.run(["stats", "--json"], at: gateway).output == "<html>\n")
    }
  }
}
