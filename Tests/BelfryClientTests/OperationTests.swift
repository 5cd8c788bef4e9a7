import BelfryClientTesting
import Foundation
import BelfryJSON
import Testing

@testable import BelfryClient

/// What the user does, and what becomes of it on the way.
struct OperationTests {
  private let clock = TestClock()

  private func connected(_ server: InMemoryServer) async throws -> BelfryClient {
    let client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    return client
  }

  @Test func `more than one call takes is sent in several`() async throws {
    let server = InMemoryServer(clock, notifications: 1_200)
    let client = try await connected(server)
    let operation = await client.markAsRead((1...1_200).map(notificationID))
    try await operation.result()
    #expect(await server.unreadCount() == 0)
    #expect(await server.requests("POST", "/api/v1/notifications/read").count == 3)
    await client.signOut()
  }

  @Test func `one that cannot be used does not spoil the others, and none overtakes what came after`() async throws {
    let server = InMemoryServer(clock, notifications: 1_200)
    let client = try await connected(server)
    let bad = notificationID(700)
    await server.respond { request in
      guard request.method != "GET", request.text.contains(bad.wireText) || request.url.path().contains(bad.wireText)
      else { return nil }
      return HTTPResponse(status: 400)
    }
    let operation = await client.markAsRead((1...1_200).map(notificationID))
    await client.markAsUnread(notificationID(3))
    await #expect(throws: BelfryError(.invalid, status: 400)) { try await operation.result() }
    #expect(await clock.advance(upTo: .seconds(600)) { await client.session.inbox.operations.isEmpty })
    #expect(Set(await server.inbox().filter(\.isUnread).map(\.id)) == [bad, notificationID(3)])
    await client.signOut()
  }

  @Test func `a request that the system has cancelled is sent again`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try await connected(server)
    let cancellations = Locked(2)
    await server.respond { request in
      guard request.method == "PATCH" else { return nil }
      let isCancelled = cancellations.withLock { left in
        left -= 1
        return left >= 0
      }
      if isCancelled { throw CancellationError() }
      return nil
    }
    let operation = await client.markAsRead([notificationID(2)])
    #expect(await clock.advance { await server.unreadCount() == 2 })
    try await operation.result()
    await client.signOut()
  }

  @Test func `what is done twice is done once`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try await connected(server)
    let first = await client.delete(notificationID(2))
    let second = await client.delete(notificationID(2))
    #expect(await client.unreadCount == 2)
    #expect(await clock.advance(upTo: .seconds(20)) { await server.inbox().count == 2 })
    try await first.result()
    try await second.result()
    for _ in 0..<2 { await client.opened(notificationID(1)) }
    #expect(await clock.advance { await client.session.inbox.operations.isEmpty })
    #expect(await server.requests("POST", "/api/v1/notifications/\(notificationID(1).wireText)/opened").count == 1)
    #expect(await client.unreadCount == (await server.unreadCount()))
    await client.signOut()
  }

  @Test func `an hour without a network costs few requests`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try await connected(server)
    await server.goOffline()
    await client.markAsRead([notificationID(3)])
    let before = await server.requests("PATCH", "/api/v1/notifications/\(notificationID(3).wireText)/read").count
    for _ in 0..<3_600 {
      clock.jump(by: .seconds(1))
      _ = await settles(5) { false }
    }
    let count =
      await server.requests("PATCH", "/api/v1/notifications/\(notificationID(3).wireText)/read").count - before
    #expect(count < 300)
    #expect(count > 10)
    await client.signOut()
  }

  @Test func `a count is right at once where old ones were read elsewhere and there is no hub`() async throws {
    let server = InMemoryServer(clock, notifications: 40)
    let client = try await connected(server)
    await client.loadMore()
    #expect(await client.list().notifications.count == 40)
    await client.setPaused(true)
    #expect(await settles { await server.connections() == 0 })
    await server.readElsewhere(notificationID(1))
    await server.deleteElsewhere(notificationID(2))
    await client.refresh()
    #expect(await client.notification(notificationID(1))?.isRead == true)
    #expect(await client.notification(notificationID(2)) == nil)
    #expect(await client.unreadCount == 38)
    #expect(await client.session.inbox.drift == 0)
    await client.signOut()
  }
}
