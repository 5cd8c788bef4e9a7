import Synchronization
import Testing

@testable import BelfrySender

@Suite struct CredentialTests {
  /// Tokens that are counted, and why each was asked for.
  private final class Tokens: Sendable {
    private let given = Mutex<[SenderCredential.Reason]>([])

    var reasons: [SenderCredential.Reason] { given.withLock { $0 } }

    var credential: SenderCredential {
      .token { reason in
        self.given.withLock { reasons in
          reasons.append(reason)
          return "token-\(reasons.count)"
        }
      }
    }
  }

  @Test func `a token and an API key have headers of their own`() async throws {
    let transport = InMemoryTransport(.accepted)
    try await BelfrySender.testing(transport, credential: .token { _ in "jwt" }).send(.hello)
    try await BelfrySender.testing(transport, credential: .apiKey("belfry_1")).send(.hello)
    #expect(transport.headers("Authorization") == ["Bearer jwt", nil])
    #expect(transport.headers("X-Api-Key") == [nil, "belfry_1"])
  }

  @Test func `a refused token is renewed once, without a pause and with the same key`() async throws {
    let (tokens, clock) = (Tokens(), TestClock())
    let transport = InMemoryTransport(.problem(401, "unauthorized"), .accepted)
    try await BelfrySender.testing(transport, credential: tokens.credential, clock: clock).send(.hello)
    #expect(transport.headers("Authorization") == ["Bearer token-1", "Bearer token-2"])
    #expect(Set(transport.headers("Idempotency-Key")).count == 1)
    #expect(tokens.reasons == [.needed, .refused])
    #expect(clock.pauses.isEmpty)
  }

  @Test func `a token that is refused twice is refused`() async throws {
    let tokens = Tokens()
    let transport = InMemoryTransport(.problem(401, "unauthorized"))
    let error = try await failure {
      try await BelfrySender.testing(transport, credential: tokens.credential).send(.hello)
    }
    #expect(transport.asked.count == 2)
    #expect(error.code == .refused)
    #expect(error.problem?.kind == .unauthorized)
  }

  @Test func `what the closure throws is the error's cause`() async throws {
    let transport = InMemoryTransport(.accepted)
    let sender = try BelfrySender.testing(transport, credential: .token { _ in throw BrokenConnection() })
    let error = try await failure { try await sender.send(.hello) }
    #expect(error.code == .credential)
    #expect(error.cause is BrokenConnection)
    #expect(transport.asked.isEmpty)
  }

  @Test func `a closure that fails in a later attempt does not hide that an earlier one may have succeeded`()
    async throws
  {
    let calls = Mutex(0)
    let credential = SenderCredential.token { _ in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      guard call == 1 else { throw BrokenConnection() }
      return "token"
    }
    let transport = InMemoryTransport(TransportResponse(503))
    let error = try await failure {
      try await BelfrySender.testing(transport, credential: credential).send(.hello, key: "order-17")
    }
    #expect(error.code == .credential)
    #expect(error.isUncertain)
    #expect(error.idempotencyKey == "order-17")
    #expect(error.attempts == 1)
  }

  @Test(arguments: ["", "two words", "line\r\nX-Evil: 1", String(repeating: "x", count: 16_385)])
  func `a secret that is no header is not sent, nor said`(secret: String) async throws {
    let transport = InMemoryTransport(.accepted)
    let error = try await failure {
      try await BelfrySender.testing(transport, credential: .apiKey(secret)).send(.hello)
    }
    #expect(error.code == .credential)
    #expect(secret.isEmpty || !error.description.contains(secret))
    #expect(transport.asked.isEmpty)
  }

  @Test(.timeLimit(.minutes(1))) func `a closure that never answers does not hold up the call`() async throws {
    let transport = InMemoryTransport(.accepted)
    let retries = RetryPolicy(total: .milliseconds(50))
    let credential = SenderCredential.token { _ in
      try await Task.sleep(for: .seconds(86_400))
      return "token"
    }
    let error = try await failure {
      try await BelfrySender.testing(transport, credential: credential, retries: retries).send(.hello)
    }
    #expect(error.code == .credential)
    #expect(transport.asked.isEmpty)
  }
}
