import Foundation
import Testing

@testable import BelfryClient

/// Two clients of one user through random faults: nothing is lost, nothing comes twice, and at rest all have what the server has.
struct ScheduleTests {
  struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private func step(_ server: FakeServer, _ clients: [BelfryClient], _ random: inout Random) async {
    let newest = server.state.withLock { $0.lastSeq }
    let id = notificationID(Int.random(in: 1...newest, using: &random))
    let client = clients[Int.random(in: 0..<clients.count, using: &random)]
    switch Int.random(in: 0..<16, using: &random) {
    case 0...3: server.notify()
    case 4: server.change(id) { $0.with { $0.isRead.toggle() } }
    case 5: server.change(id) { _ in nil }
    case 6: await client.markAsRead([id, notificationID(1)])
    case 7: await client.markAsUnread(id)
    case 8: await client.archive(id)
    case 9: await client.delete(id)
    case 10: await client.markAllAsRead()
    case 11: server.cut()
    case 12: server.state.withLock { $0.isDown.toggle() }
    case 13: server.state.withLock { $0.losesAnswers.toggle() }
    case 14:
      let isSick = Bool.random(using: &random)
      let fault: @Sendable (HTTPRequest) -> HTTPResponse? = { _ in isSick ? HTTPResponse(status: 503) : nil }
      server.state.withLock { $0.fault = fault }
    default: await client.loadMore()
    }
  }

  /// Whether a client has what the server has.
  private func agrees(_ client: BelfryClient, _ server: FakeServer) async -> Bool {
    guard await client.session.inbox.operations.isEmpty, await client.session.isResumed else { return false }
    let (items, unread) = server.state.withLock { ($0.list { $0.place == .inbox }, $0.unread) }
    let list = await client.list()
    guard await client.unreadCount == unread else { return false }
    if list.hasMore {
      await client.loadMore()
      return false
    }
    return list.notifications.map(\.id) == items.map(\.id) && list.notifications.map(\.isRead) == items.map(\.isRead)
  }

  @Test(arguments: 0..<30)
  func `two clients end with what the server has`(seed: UInt64) async throws {
    let clock = TestClock()
    var random = Random(state: seed)
    let server = FakeServer(clock, notifications: 5)
    let clients = try (0..<2).map { _ in
      BelfryClient(try server.configuration(), jitter: Jitter { 0.7 }) { _ in "token" }
    }
    let streams = clients.map(\.notifications)
    for client in clients {
      await client.connect()
      #expect(await clock.passes { await client.session.isResumed })
    }
    for _ in 0..<60 {
      await step(server, clients, &random)
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        _ = await settles(20) { false }
        clock.advance(by: .milliseconds(Int.random(in: 1..<2_000, using: &random)))
      }
    }
    server.state.withLock { state in
      state.isDown = false
      state.losesAnswers = false
      state.fault = nil
    }
    for client in clients {
      #expect(await clock.passes(.seconds(2_000), step: .seconds(1)) { await self.agrees(client, server) })
    }
    let left = server.state.withLock { Set($0.items.keys) }
    for (client, stream) in zip(clients, streams) {
      await client.signOut()
      var received: [BelfryNotification.ID] = []
      for await item in stream { received.append(item.notification.id) }
      #expect(Set(received).count == received.count)
      let initial = (1...5).map(notificationID)
      #expect(left.subtracting(initial).subtracting(received).isEmpty)
      #expect(received.allSatisfy { !initial.contains($0) })
    }
  }
}
