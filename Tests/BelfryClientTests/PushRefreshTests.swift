import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct PushRefreshTests {
  private let clock = TestClock()
  private let cache = MemoryCache()

  /// As after iOS launched the app behind: nothing is in memory.
  private func client(_ server: InMemoryServer) throws -> BelfryClient {
    var configuration = server.configuration()
    configuration.cache = cache
    return BelfryClient(configuration, jitter: Jitter { 0.5 }) { _ in signedToken("anna") }
  }

  private func paths(_ server: InMemoryServer) async -> [String] {
    await server.requests.map { String($0.url.path().dropFirst(7)) }
  }

  @Test func `the first one reads the inbox, keeps it and sets the badge`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let system = FakeSystem()
    #expect(try await client(server).refresh(deadline: .seconds(9), in: system) == .newData)
    #expect(await system.badge == 3)
    #expect(await cache.load(user: "anna")?.lastSeq == 3)
    #expect(await server.connections() == 0)
  }

  @Test func `then it asks for changes alone`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    _ = try await client(server).refresh(deadline: .seconds(9))
    let before = await server.requests.count
    #expect(try await client(server).refresh(deadline: .seconds(9)) == .noData)
    #expect(Array(await paths(server)[before...]) == ["/notifications/changes"])
  }

  @Test func `what was read and deleted elsewhere is counted, kept, and gone from the screen`() async throws {
    let server = InMemoryServer(clock, notifications: 5)
    _ = try await client(server).refresh(deadline: .seconds(9))
    await server.readElsewhere(notificationID(1))
    await server.deleteElsewhere(notificationID(2))
    let delivered = (1...3).map { DeliveredNotification(identifier: "push\($0)", notification: notificationID($0)) }
    let system = FakeSystem(delivered: delivered)
    #expect(try await client(server).refresh(deadline: .seconds(9), in: system) == .newData)
    #expect(await system.badge == 3)
    #expect(await system.list.map(\.identifier) == ["push3"])
    let kept = try #require(await cache.load(user: "anna"))
    #expect(kept.unreadCount == 3)
    #expect(kept.notifications.map(\.seq) == [5, 4, 3, 1])
  }

  @Test func `new notifications are announced as missed, once`() async throws {
    let server = InMemoryServer(clock, notifications: 2)
    _ = try await client(server).refresh(deadline: .seconds(9))
    await server.notify()
    let client = try client(server)
    var received = client.notifications.makeAsyncIterator()
    #expect(await client.refresh(deadline: .seconds(9)) == .newData)
    let first = await received.next()
    #expect(first?.notification.seq == 3)
    #expect(first?.isMissed == true)
    #expect(await client.refresh(deadline: .seconds(9)) == .noData)
    #expect(await client.list().notifications.map(\.seq) == [3, 2, 1])
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    #expect(await client.unreadCount == (await server.unreadCount()))
    await client.signOut()
    #expect(await received.next() == nil)
  }

  @Test func `what is more than one answer has, or incomplete, is read as a list`() async throws {
    let server = InMemoryServer(clock, notifications: 2)
    _ = try await client(server).refresh(deadline: .seconds(9))
    await server.notify()
    await server.respond { request in
      request.url.path().hasSuffix("/changes")
        ? HTTPResponse(
          json: #"{"notifications":[],"seq":3,"hasMore":true,"changed":[],"deleted":[],"change":0,"isComplete":true}"#
        ) : nil
    }
    #expect(try await client(server).refresh(deadline: .seconds(9)) == .newData)
    #expect(await cache.load(user: "anna")?.notifications.map(\.seq) == [3, 2, 1])
  }

  @Test func `a user who wants no badge has none, and where that is not known it stays as it is`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    var update = PreferencesUpdate()
    update.badgeEnabled = false
    _ = try await client.rest.updatePreferences(update)
    let system = FakeSystem()
    #expect(await client.refresh(deadline: .seconds(9), in: system) == .newData)
    #expect(await system.badge == 0)
    update.badgeEnabled = true
    _ = try await client.rest.updatePreferences(update)
    await server.fail(with: .status(503)) { $0.url.path().hasSuffix("/preferences") }
    await server.notify()
    #expect(await client.refresh(deadline: .seconds(9), in: system) == .newData)
    #expect(await system.badge == 0)
    await server.recover()
    #expect(await client.refresh(deadline: .seconds(9), in: system) == .noData)
    #expect(await system.badge == 4)
  }

  @Test func `without a network it fails, and what was kept stays`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    _ = try await client(server).refresh(deadline: .seconds(9))
    await server.goOffline()
    let system = FakeSystem()
    #expect(try await client(server).refresh(deadline: .seconds(9), in: system) == .failed)
    #expect(await system.badge == nil)
    #expect(await cache.load(user: "anna")?.notifications.count == 3)
  }

  @Test(arguments: [(Duration.seconds(3_600), 9.5), (.seconds(4), 4.0)])
  func `a server that never answers does not keep it longer than ten seconds`(deadline: Duration, limit: Double)
    async throws
  {
    let http = ScriptedHTTP { _ in
      try await Task.sleep(for: .seconds(86_400))
      return HTTPResponse(status: 204)
    }
    let client = BelfryClient(try testConfiguration(http, clock: clock)) { _ in "token" }
    let start = clock.now
    let result = Locked<BackgroundRefreshResult?>(nil)
    let work = Task {
      let value = await client.refresh(deadline: deadline)
      result.withLock { $0 = value }
    }
    #expect(await clock.advance(upTo: .seconds(20)) { result.withLock { $0 } == .failed })
    #expect(clock.now.timeIntervalSince(start) >= limit)
    #expect(clock.now.timeIntervalSince(start) < limit + 1)
    work.cancel()
  }

  @Test func `iOS can end it at any time`() async throws {
    let http = ScriptedHTTP { _ in
      try await Task.sleep(for: .seconds(86_400))
      return HTTPResponse(status: 204)
    }
    let client = BelfryClient(try testConfiguration(http, clock: clock)) { _ in "token" }
    let work = Task { await client.refresh(deadline: .seconds(9)) }
    #expect(await settles { !http.sent.isEmpty })
    work.cancel()
    #expect(await work.value == .failed)
  }

  @Test func `a user who has signed out gets nothing`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    let session = client.session
    await client.signOut()
    await #expect(throws: BelfryError(.ended)) { try await session.refreshBehind() }
    #expect(await cache.load(user: "anna") == nil)
  }
}
