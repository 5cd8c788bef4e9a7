import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct BelfryClientTests {
  private let clock = TestClock()

  private func client(_ server: InMemoryServer, token: @escaping TokenProvider = { _ in "token" }) throws
    -> BelfryClient
  {
    BelfryClient(server.configuration(), jitter: Jitter { 0.5 }, token: token)
  }

  /// Waits until the client is connected and has asked for what was missed.
  private func connect(_ client: BelfryClient, _ server: InMemoryServer) async {
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
  }

  private func seqs(_ client: BelfryClient) async -> [Int64] {
    await client.list().notifications.compactMap(\.seq)
  }

  @Test func `it reads the inbox and connects`() async throws {
    let server = InMemoryServer(clock, notifications: 30)
    let client = try client(server)
    await connect(client, server)
    #expect(await seqs(client) == (11...30).reversed().map(Int64.init))
    #expect(await client.unreadCount == 30)
    await client.loadMore()
    #expect(await seqs(client) == (1...30).reversed().map(Int64.init))
    #expect(await client.list().hasMore == false)
    await client.signOut()
  }

  @Test func `what comes is announced once, counted, and in the list`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    var received = client.notifications.makeAsyncIterator()
    await connect(client, server)
    await server.notify()
    let first = await received.next()
    #expect(first?.notification.seq == 4)
    #expect(first?.isMissed == false)
    #expect(await clock.advance { await client.unreadCount == 4 })
    #expect(await seqs(client) == [4, 3, 2, 1])
    await client.signOut()
    #expect(await received.next() == nil)
  }

  @Test func `what was missed comes after a cut line, once`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    let received = client.notifications
    await connect(client, server)
    await server.goOffline()
    for _ in 0..<5 { await server.notify() }
    await server.readElsewhere(notificationID(1))
    await server.deleteElsewhere(notificationID(2))
    // An hour without a network.
    clock.jump(by: .seconds(3_600))
    #expect(await clock.advance { await client.session.connection.state == .reconnecting })
    await server.goOnline()
    #expect(await clock.advance(upTo: .seconds(400)) { await client.session.isResumed })
    #expect(await clock.advance { await self.seqs(client) == [8, 7, 6, 5, 4, 3, 1] })
    #expect(await client.notification(notificationID(1))?.isRead == true)
    #expect(await client.unreadCount == (await server.unreadCount()))
    await client.signOut()
    var seqs: [Int64?] = []
    for await item in received { seqs.append(item.notification.seq) }
    #expect(Set(seqs).count == seqs.count)
    #expect(seqs.allSatisfy { $0 ?? 0 > 3 })
  }

  @Test func `what was missed is announced also where it is more than a page, and counted once`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    let received = client.notifications
    await connect(client, server)
    await server.goOffline()
    for _ in 0..<1_200 { await server.notify() }
    #expect(await clock.advance { await client.session.connection.state == .reconnecting })
    await server.goOnline()
    #expect(await clock.advance(upTo: .seconds(400)) { await client.session.isResumed })
    let counts = client.unreadCounts
    #expect(await client.unreadCount == 1_203)
    #expect(await client.list().notifications.count == 20)
    #expect(await client.list().hasMore)
    await client.loadMore()
    #expect(await seqs(client) == (1_134...1_203).reversed().map(Int64.init))
    await client.signOut()
    for await count in counts { #expect(count == 3 || count == 1_203) }
    var seqs: [Int64] = []
    for await item in received where item.isMissed { seqs.append(item.notification.seq ?? 0) }
    #expect(seqs == (204...1_203).map(Int64.init))
  }

  @Test func `the states are those of the connection`() async throws {
    let server = InMemoryServer(clock)
    let client = try client(server)
    var states = client.states.makeAsyncIterator()
    #expect(await states.next() == .disconnected)
    await connect(client, server)
    #expect(await states.next() == .connecting)
    #expect(await states.next() == .connected)
    await server.cutLine()
    #expect(await states.next() == .reconnecting)
    #expect(await clock.advance { await server.connections() == 1 })
    #expect(await states.next() == .connected)
    await client.enterBackground()
    #expect(await clock.advance { await server.connections() == 0 })
    #expect(await states.next() == .paused)
    await client.enterForeground()
    #expect(await states.next() == .reconnecting)
    #expect(await clock.advance { await server.connections() == 1 })
    #expect(await states.next() == .connected)
    await client.disconnect()
    #expect(await states.next() == .disconnected)
    await client.signOut()
    #expect(await states.next() == nil)
  }

  @Test func `a user who is refused is asked for a token once more, then no more`() async throws {
    let server = InMemoryServer(clock)
    await server.fail(with: .unauthorized)
    let reasons = Locked<[TokenReason]>([])
    let client = try client(server) { reason in
      reasons.withLock { reasons in
        reasons.append(reason)
        return "token\(reasons.count)"
      }
    }
    await client.connect()
    #expect(await clock.advance { await client.session.connection.state == .unauthorized })
    #expect(reasons.withLock { $0 } == [.needed, .refused])
    let count = await server.requests.count
    clock.jump(by: .seconds(3_600))
    _ = await settles(1_000) { false }
    #expect(await server.requests.count == count)
    await server.recover()
    await client.retry()
    #expect(await clock.advance { await client.session.isResumed })
    await client.signOut()
  }

  @Test func `reading is shown at once, and sent`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    await connect(client, server)
    let operation = await client.markAsRead([notificationID(2)])
    #expect(await client.unreadCount == 2)
    try await operation.result()
    #expect(await server.unreadCount() == 2)
    #expect(await clock.advance { await client.session.inbox.drift == 0 })
    #expect(await client.unreadCount == 2)
    try await client.markAllAsRead().result()
    #expect(await server.unreadCount() == 0)
    #expect(await client.unreadCount == 0)
    await client.signOut()
  }

  @Test func `a deletion can be undone until it is sent`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    await connect(client, server)
    let first = await client.delete(notificationID(2))
    #expect(await seqs(client) == [3, 1])
    #expect(await first.undo())
    #expect(await seqs(client) == [3, 2, 1])
    await #expect(throws: BelfryError(.ended)) { try await first.result() }
    let second = await client.delete(notificationID(2))
    #expect(await clock.advance(upTo: .seconds(10)) { await server.inbox().count == 2 })
    try await second.result()
    #expect(await second.undo() == false)
    #expect(await seqs(client) == [3, 1])
    await client.signOut()
  }

  @Test func `a refused operation is taken back alone`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    var errors = client.errors.makeAsyncIterator()
    await connect(client, server)
    await server.fail(with: .status(403)) { $0.url.path().hasSuffix("/archive") }
    // No answer before the test has looked.
    await server.delay(.seconds(1))
    let refused = await client.archive(notificationID(1))
    let taken = await client.markAsRead([notificationID(1)])
    #expect(await seqs(client) == [3, 2])
    await clock.advance(by: .seconds(5))
    await #expect(throws: BelfryError.self) { try await refused.result() }
    try await taken.result()
    #expect(await seqs(client) == [3, 2, 1])
    #expect(await client.notification(notificationID(1))?.isRead == true)
    #expect(await errors.next()?.code == .forbidden)
    await client.signOut()
  }

  @Test func `what was done offline is sent when the network is back, once`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    await connect(client, server)
    await server.goOffline()
    let operation = await client.markAsRead([notificationID(3)])
    #expect(await client.unreadCount == 2)
    for _ in 0..<60 {
      clock.jump(by: .seconds(60))
      _ = await settles(50) { false }
    }
    #expect(await client.unreadCount == 2)
    await server.goOnline()
    #expect(await clock.advance(upTo: .seconds(400)) { await server.unreadCount() == 2 })
    try await operation.result()
    #expect(await client.unreadCount == 2)
    await client.signOut()
  }

  @Test func `events have typed payloads, as one object or apart`() async throws {
    struct Balance: Codable, Equatable, Sendable {
      let childId: String
      let newBalance: Double
    }
    let server = InMemoryServer(clock)
    let client = try client(server)
    var apart = client.events("BalanceUpdated", arguments: ["childId", "newBalance"], as: Balance.self)
      .makeAsyncIterator()
    var errors = client.errors.makeAsyncIterator()
    await connect(client, server)
    await server.emit("BalanceUpdated", arguments: ["c-1", 47.5])
    await server.emit("Other", arguments: [1])
    await server.emit("BalanceUpdated", arguments: [7])
    try await server.emit("BalanceUpdated", Balance(childId: "c-2", newBalance: 1))
    #expect(await apart.next() == Balance(childId: "c-1", newBalance: 47.5))
    #expect(await apart.next() == Balance(childId: "c-2", newBalance: 1))
    #expect(await errors.next()?.code == .malformed)
    await client.signOut()
    #expect(await apart.next() == nil)
  }

  @Test func `somebody else's token begins anew`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let subject = Locked("anna")
    let client = try client(server) { _ in
      let claims = Data(#"{"sub":"\#(subject.withLock { $0 })"}"#.utf8).base64EncodedString().replacing("=", with: "")
      return "e30.\(claims).\(subject.withLock { $0 })"
    }
    let states = client.states
    await connect(client, server)
    let first = client.session
    subject.withLock { $0 = "bert" }
    await server.expireTokens()
    #expect(await clock.advance { client.session !== first })
    #expect(await clock.advance { await client.session.isResumed })
    var last: ConnectionState?
    for await state in states { last = state }
    #expect(last != nil)
    await client.signOut()
  }

  @Test func `nobody is kept alive by streams or by the connection`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    weak var session: UserSession?
    weak var gone: BelfryClient?
    let (states, changes): (AsyncStream<ConnectionState>, AsyncStream<InboxChange>)
    do {
      let client = try client(server)
      (states, changes) = (client.states, client.changes)
      await connect(client, server)
      _ = await client.markAsRead([notificationID(1)])
      session = client.session
      gone = client
    }
    #expect(await settles { gone == nil })
    for await _ in states {}
    for await _ in changes {}
    #expect(await settles { session == nil })
    #expect(await settles { await server.connections() == 0 })
  }

  @Test func `calls of a client that is gone have ended`() async throws {
    let rest = try client(InMemoryServer(clock, notifications: 3)).rest
    await #expect(throws: BelfryError(.ended)) { try await rest.listNotifications() }
  }

  @Test func `what is on the screen is told to each connection`() async throws {
    let server = InMemoryServer(clock)
    let client = try client(server)
    await client.startViewing(RelatedEntity(type: "conversation", id: "c-1"))
    await connect(client, server)
    let isTold = await server.viewing() == RelatedEntity(type: "conversation", id: "c-1")
    #expect(isTold)
    await client.stopViewing()
    #expect(await server.viewing() == nil)
    await client.signOut()
  }
}
