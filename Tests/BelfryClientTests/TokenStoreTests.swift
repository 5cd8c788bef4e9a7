import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct TokenStoreTests {
  private let clock = TestClock()

  private func store(_ provider: @escaping TokenProvider) -> TokenStore {
    TokenStore(provider, clock: clock, limit: .seconds(30))
  }

  private func token(of subject: String, _ signature: String = "x") -> String {
    let claims = Data(#"{"sub":"\#(subject)"}"#.utf8).base64EncodedString()
    return "e30." + claims.replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_") + "."
      + signature
  }

  @Test func `many who wait ask once`() async throws {
    let asked = Locked(0)
    let store = store { _ in
      asked.withLock { $0 += 1 }
      await Task.yield()
      return "token"
    }
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 { group.addTask { try await store.current() } }
      for try await token in group { #expect(token == "token") }
    }
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func `a refused token is asked for again, and the same one is no other`() async throws {
    let reasons = Locked<[TokenReason]>([])
    let store = store { reason in
      reasons.withLock { $0.append(reason) }
      return "same"
    }
    let first = try await store.current()
    await #expect(throws: BelfryError(.unauthorized, status: 401)) { try await store.current(refused: first) }
    // Blocked: nobody is asked.
    await #expect(throws: BelfryError(.unauthorized, status: 401)) { try await store.current() }
    #expect(reasons.withLock { $0 } == [.needed, .refused])
    await store.unblock()
    #expect(try await store.current() == "same")
  }

  @Test func `an empty token is a user who is not signed in`() async throws {
    let told = Locked(0)
    let store = store { _ in "" }
    store.onUnauthorized { _ in told.withLock { $0 += 1 } }
    await #expect(throws: BelfryError(.unauthorized, status: 401)) { try await store.current() }
    #expect(told.withLock { $0 } == 1)
  }

  @Test func `a closure that never answers is given up`() async throws {
    let (never, finish) = AsyncStream<Void>.makeStream()
    let store = store { _ in
      // Detached, so that it does not notice that it is given up.
      await Task.detached { for await _ in never {} }.value
      return "late"
    }
    let result = Locked<BelfryError?>(nil)
    let asking = Task {
      do { _ = try await store.current() } catch { result.withLock { $0 = error as? BelfryError } }
    }
    #expect(await clock.advance(upTo: .seconds(40)) { result.withLock { $0 }?.code == .token })
    finish.finish()
    await asking.value
  }

  @Test func `a token may end in a line feed, and has nothing that would end a header`() async throws {
    let store = self.store { _ in " abc.def\n" }
    #expect(try await store.current() == "abc.def")
    for token in ["a\r\nX-Other: b", "a b", "ä"] {
      let store = self.store { _ in token }
      let error = await #expect(throws: BelfryError.self) { try await store.current() }
      #expect(error?.code == .token)
    }
  }

  @Test func `who waits for a token at sign-out is told so, and the closure is cancelled`() async throws {
    let (started, isCancelled) = (Locked(false), Locked(false))
    let lifetime = Lifetime()
    let store = TokenStore(
      { [clock] _ in
        started.withLock { $0 = true }
        defer { isCancelled.withLock { $0 = Task.isCancelled } }
        try await clock.sleep(for: .seconds(1_000))
        return "late"
      },
      clock: clock,
      limit: .seconds(2_000),
      lifetime: lifetime
    )
    let asking = Task { try await store.current() }
    #expect(await settles { started.withLock { $0 } })
    await store.end()
    await #expect(throws: BelfryError(.ended)) { try await asking.value }
    #expect(await settles { isCancelled.withLock { $0 } })
  }

  @Test func `a failing closure is temporary`() async throws {
    struct Failure: Error {}
    let store = store { _ in throw Failure() }
    let error = await #expect(throws: BelfryError.self) { try await store.current() }
    #expect(error?.code == .token)
    #expect(error?.isTemporary == true)
  }

  @Test func `somebody else's token ends it`() async throws {
    let tokens = Locked([token(of: "anna"), token(of: "anna", "y"), token(of: "bert")])
    let told = Locked(0)
    let store = store { _ in tokens.withLock { $0.removeFirst() } }
    store.onOtherUser { told.withLock { $0 += 1 } }
    let first = try await store.current()
    let second = try await store.current(refused: first)
    #expect(second != first)
    await #expect(throws: BelfryError(.ended)) { try await store.current(refused: second) }
    #expect(told.withLock { $0 } == 1)
  }
}
