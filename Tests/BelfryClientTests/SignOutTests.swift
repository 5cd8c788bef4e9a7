import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

/// Whatever is under way when the user goes: nothing of it is left.
struct SignOutTests {
  private let clock = TestClock()

  private func token(of subject: String) -> String {
    let claims = Data(#"{"sub":"\#(subject)"}"#.utf8).base64EncodedString().replacing("=", with: "")
    return "e30.\(claims).x"
  }

  /// A cache whose removals wait.
  private actor SlowCache: NotificationCache {
    let isRemoving = Locked(false)
    private let clock: TestClock

    init(_ clock: TestClock) {
      self.clock = clock
    }

    func load(user: String) -> CachedInbox? { nil }
    func save(_ inbox: CachedInbox, user: String) {}

    func remove(user: String) async {
      isRemoving.withLock { $0 = true }
      try? await clock.sleep(for: .seconds(1))
    }

    func removeAll() {}
  }

  @Test func `no request outlives it`() async throws {
    let (running, begun) = (Locked(0), Locked(0))
    let clock = clock
    let http = ScriptedHTTP { _ in
      running.withLock { $0 += 1 }
      begun.withLock { $0 += 1 }
      defer { running.withLock { $0 -= 1 } }
      try await clock.sleep(for: .seconds(1_000))
      return HTTPResponse(status: 503)
    }
    let client = BelfryClient(try testConfiguration(http, clock: clock)) { _ in "token" }
    await client.connect()
    let loading = Task { await client.load(NotificationFilter(place: .archived)) }
    let operation = await client.markAsRead([notificationID(1)])
    #expect(await settles { begun.withLock { $0 } == 4 })
    await client.signOut()
    #expect(await settles { running.withLock { $0 } == 0 })
    await loading.value
    await #expect(throws: BelfryError(.ended)) { try await operation.result() }
    #expect(begun.withLock { $0 } == 4)
    #expect(await settles { clock.sleeping == 0 })
  }

  @Test func `who is gone while somebody else's token begins anew is not connected again`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let cache = SlowCache(clock)
    let subject = Locked("anna")
    var configuration = server.configuration()
    configuration.cache = cache
    let client = BelfryClient(configuration, jitter: Jitter { 0.5 }) { [self] _ in token(of: subject.withLock { $0 }) }
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    subject.withLock { $0 = "bert" }
    let first = Locked(true)
    await server.respond { _ in
      first.withLock { isFirst in
        defer { isFirst = false }
        return isFirst ? HTTPResponse(status: 401) : nil
      }
    }
    await client.refresh()
    #expect(await settles { cache.isRemoving.withLock { $0 } })
    let leaving = Task { await client.signOut() }
    #expect(await settles { await server.connections() == 0 })
    #expect(await clock.advance { clock.sleeping == 0 })
    await leaving.value
    _ = await settles(1_000) { false }
    #expect(await client.session.isStarted == false)
    #expect(await server.connections() == 0)
  }

  @Test func `somebody else's token connects nobody who has not asked for it`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let subject = Locked("anna")
    let client = BelfryClient(server.configuration()) { [self] _ in token(of: subject.withLock { $0 }) }
    _ = try await client.rest.listNotifications()
    let session = client.session
    subject.withLock { $0 = "bert" }
    let answers = Locked([HTTPResponse(status: 401)])
    await server.respond { _ in answers.withLock { $0.popLast() } }
    await #expect(throws: BelfryError(.ended)) { try await client.rest.listNotifications() }
    #expect(await settles { client.session !== session })
    _ = await settles(1_000) { false }
    #expect(await client.session.isStarted == false)
    await server.deliver(count: 2, to: "bert")
    #expect(try await client.rest.listNotifications().notifications.count == 2)
  }

  @Test func `the next user is behind where the last one was`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    await client.enterBackground()
    await client.signOut()
    await client.connect()
    #expect(await clock.advance { await client.session.connection.state == .paused })
    #expect(await clock.advance { await server.connections() == 0 })
    await client.enterForeground()
    #expect(await clock.advance { await server.connections() == 1 })
    await client.setPaused(true)
    await client.signOut()
    await client.connect()
    #expect(await client.session.connection.state == .paused)
    await client.signOut()
  }

  @Test func `to connect a hundred times is to connect once`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { await client.connect() } }
    }
    #expect(await clock.advance { await client.session.isResumed })
    #expect(await server.opened == 1)
    #expect(await server.requests("GET", "/api/v1/notifications").count == 1)
    await client.disconnect()
    for _ in 0..<50 {
      async let connecting: Void = client.connect()
      async let disconnecting: Void = client.disconnect()
      _ = await (connecting, disconnecting)
      await client.disconnect()
    }
    #expect(await settles { await server.connections() == 0 })
    clock.jump(by: .seconds(10))
    _ = await settles(1_000) { false }
    #expect(await server.connections() == 0)
    await client.signOut()
  }

  @Test func `connecting again is a new try for who was refused`() async throws {
    let server = InMemoryServer(clock)
    await server.fail(with: .unauthorized)
    let client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in UUID().uuidString }
    await client.connect()
    #expect(await clock.advance { await client.session.connection.state == .unauthorized })
    await server.recover()
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    await client.signOut()
  }
}
