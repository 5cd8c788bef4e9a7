import Foundation
import Synchronization
import Testing

@testable import BelfrySender

@Suite struct RetryTests {
  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func `what may pass is repeated with the same key and the same body`(status: Int) async throws {
    let transport = InMemoryTransport(TransportResponse(status), TransportResponse(status), .accepted)
    let clock = TestClock()
    let accepted = try await BelfrySender.testing(transport, clock: clock).send(.hello)
    #expect(accepted.requestID == UUID(uuidString: TransportResponse.requestID))
    #expect(transport.asked.count == 3)
    #expect(Set(transport.headers("Idempotency-Key")).count == 1)
    #expect(transport.headers("Idempotency-Key").first != .some(nil))
    #expect(Set(transport.asked.map(\.body)).count == 1)
    #expect(clock.pauses.count == 2)
  }

  @Test(arguments: [400, 403, 404, 405, 409, 412, 413, 415, 422, 301, 204])
  func `what will not pass is not repeated`(status: Int) async throws {
    let transport = InMemoryTransport(.problem(status, "validation"))
    let error = try await failure { try await BelfrySender.testing(transport).send(.hello) }
    #expect(transport.asked.count == 1)
    #expect(error.status == status)
    #expect(!error.isUncertain)
    #expect(error.attempts == 1)
  }

  @Test func `a lost answer is asked for again, with the same key`() async throws {
    let transport = InMemoryTransport { _, number in
      if number == 0 { throw BrokenConnection() }
      return .accepted
    }
    try await BelfrySender.testing(transport).send(.hello, key: "order-17-paid")
    #expect(transport.headers("Idempotency-Key") == ["order-17-paid", "order-17-paid"])
  }

  @Test func `an answer that cannot be read is asked for again`() async throws {
    let transport = InMemoryTransport(TransportResponse(202, #"{"requestId":"#), .accepted)
    try await BelfrySender.testing(transport).send(.hello)
    #expect(transport.asked.count == 2)
  }

  @Test func `each call has a key of its own`() async throws {
    let transport = InMemoryTransport(.accepted)
    let sender = try BelfrySender.testing(transport)
    for _ in 0..<3 { try await sender.send(.hello) }
    #expect(Set(transport.headers("Idempotency-Key")).count == 3)
  }

  @Test func `attempts are bounded, and the error says how to go on`() async throws {
    let transport = InMemoryTransport { _, _ in throw BrokenConnection() }
    let sender = try BelfrySender.testing(transport, retries: RetryPolicy(attempts: 3))
    let error = try await failure { try await sender.send(.hello, key: "order-17-paid") }
    #expect(transport.asked.count == 3)
    #expect(error.code == .noAnswer)
    #expect(error.attempts == 3)
    #expect(error.isUncertain)
    #expect(error.idempotencyKey == "order-17-paid")
    #expect(error.cause is BrokenConnection)
  }

  @Test func `the time is bounded, that of attempts and of pauses`() async throws {
    let clock = TestClock()
    let transport = InMemoryTransport { request, _ in
      clock.advance(by: request.timeout)
      throw TransportError("no answer", isTransient: true)
    }
    let retries = RetryPolicy(
      attempts: 100,
      total: .seconds(10),
      attempt: .seconds(4),
      firstPause: .seconds(1),
      longestPause: .seconds(1)
    )
    let began = clock.now
    let error = try await failure {
      try await BelfrySender.testing(transport, retries: retries, clock: clock).send(.hello)
    }
    #expect(error.code == .noAnswer)
    // 4 s, 1 s, 4 s leave one second, which a pause would use up.
    #expect(transport.asked.map(\.timeout) == [.seconds(4), .seconds(4)])
    #expect(clock.now - began <= .seconds(10))
  }

  @Test func `an attempt has no more time than is left`() async throws {
    let clock = TestClock()
    let transport = InMemoryTransport { request, _ in
      clock.advance(by: request.timeout)
      throw BrokenConnection()
    }
    let retries = RetryPolicy(total: .seconds(6), attempt: .seconds(4), firstPause: .seconds(1))
    _ = try await failure { try await BelfrySender.testing(transport, retries: retries, clock: clock).send(.hello) }
    #expect(transport.asked.map(\.timeout) == [.seconds(4), .seconds(1)])
  }

  @Test func `Retry-After is waited for`() async throws {
    let clock = TestClock()
    let transport = InMemoryTransport(.problem(429, "too-many-requests", headers: ["Retry-After": "7"]), .accepted)
    let retries = RetryPolicy(firstPause: .seconds(1))
    try await BelfrySender.testing(transport, retries: retries, clock: clock).send(.hello)
    #expect(clock.pauses == [.seconds(8)])
  }

  @Test func `a Retry-After beyond the time ends the call at once`() async throws {
    let clock = TestClock()
    let transport = InMemoryTransport(.problem(503, "unavailable", headers: ["Retry-After": "3600"]))
    let error = try await failure { try await BelfrySender.testing(transport, clock: clock).send(.hello) }
    #expect(transport.asked.count == 1)
    #expect(clock.pauses.isEmpty)
    #expect(error.code == .unavailable)
    #expect(error.problem?.kind == .unavailable)
    #expect(error.retryAfter == .seconds(3_600))
  }

  @Test(
    arguments: [
      ("2", nil, Duration.seconds(2)), ("-1", nil, .zero), ("99999999999", nil, .seconds(31 * 86_400)),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", .seconds(30)),
      ("Sun, 06 Nov 1994 08:49:07 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", .zero),
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil, nil), ("soon", nil, nil),
    ] as [(String, String?, Duration?)]
  )
  func `Retry-After has seconds, or a date beside the answer's`(text: String, date: String?, expected: Duration?) {
    var headers = ["Retry-After": text]
    headers["Date"] = date
    #expect(Verdict.retryAfter(TransportResponse(503, headers: headers)) == expected)
  }

  @Test func `pauses grow to the longest, and jitter takes up to half`() {
    let retries = RetryPolicy(firstPause: .seconds(1), longestPause: .seconds(10))
    func pauses(_ random: Double) -> [Duration] {
      [1, 2, 3, 4, 5, 1_000].map { retries.pause(after: $0, retryAfter: nil, random: random) }
    }
    #expect(pauses(1) == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
    #expect(pauses(0) == [500, 1_000, 2_000, 4_000, 5_000, 5_000].map { .milliseconds($0) })
  }

  @Test func `a failure of the transport that lasts is not repeated`() async throws {
    let transport = InMemoryTransport { _, _ in throw TransportError("no trust", isTransient: false) }
    let error = try await failure { try await BelfrySender.testing(transport).send(.hello) }
    #expect(transport.asked.count == 1)
    #expect(error.code == .noAnswer)
  }

  @Test func `a cancelled task ends the call`() async throws {
    let transport = InMemoryTransport { _, _ in
      withUnsafeCurrentTask { $0?.cancel() }
      throw BrokenConnection()
    }
    let sender = try BelfrySender.testing(transport)
    await #expect(throws: CancellationError.self) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await sender.send(.hello) }
        try await group.next()
      }
    }
    #expect(transport.asked.count == 1)
  }

  @Test func `a refusal after a lost answer is said to be uncertain, one after 429 is not`() async throws {
    for (first, isUncertain) in [(503, true), (429, false)] {
      let transport = InMemoryTransport(TransportResponse(first), .problem(403, "forbidden"))
      let error = try await failure { try await BelfrySender.testing(transport).send(.hello) }
      #expect(error.code == .refused)
      #expect(error.isUncertain == isUncertain)
    }
  }

  @Test func `no duration is too long to be added`() {
    let longest = Duration.seconds(Int64.max)
    let policy = RetryPolicy(total: longest, attempt: longest, firstPause: longest, longestPause: longest)
    #expect(policy.pause(after: 100, retryAfter: .seconds(1), random: 1) < .seconds(366 * 86_400 + 2))
  }
}
