import BelfryClientTesting
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

  private func step(_ server: InMemoryServer, _ clients: [BelfryClient], _ random: inout Random) async {
    let ids = await ids(server)
    let id = ids.randomElement(using: &random) ?? notificationID(1)
    let client = clients[Int.random(in: 0..<clients.count, using: &random)]
    switch Int.random(in: 0..<17, using: &random) {
    case 0...3: await server.notify()
    case 4:
      if Bool.random(using: &random) { await server.readElsewhere(id) } else { await server.unreadElsewhere(id) }
    case 5: await server.deleteElsewhere(id)
    case 6: await client.markAsRead([id, notificationID(1)])
    case 7: await client.markAsUnread(id)
    case 8: await client.archive(id)
    case 9: await client.delete(id)
    case 10: await client.markAllAsRead()
    case 11: await server.cutLine()
    case 12:
      if Bool.random(using: &random) { await server.goOffline() } else { await server.goOnline() }
    case 13: await server.fail(with: .lostAnswer)
    case 14: await server.fail(with: .status(503))
    case 15: await server.recover()
    default: await client.loadMore()
    }
  }

  /// Of all that the server has, wherever it is.
  private func ids(_ server: InMemoryServer) async -> [BelfryNotification.ID] {
    var ids: [BelfryNotification.ID] = []
    for place in NotificationPlace.allCases { ids += await server.inbox(place: place).map(\.id) }
    return ids
  }

  /// Whether a client has what the server has.
  private func agrees(_ client: BelfryClient, _ server: InMemoryServer) async -> Bool {
    guard await client.session.inbox.operations.isEmpty, await client.session.isResumed else { return false }
    let (items, unread) = (await server.inbox(), await server.unreadCount())
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
    let server = InMemoryServer(clock, notifications: 5)
    let clients = (0..<2).map { _ in
      BelfryClient(server.configuration(), jitter: Jitter { 0.7 }) { _ in "token" }
    }
    let streams = clients.map(\.notifications)
    for client in clients {
      await client.connect()
      #expect(await clock.advance { await client.session.isResumed })
    }
    for _ in 0..<60 {
      await step(server, clients, &random)
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        _ = await settles(20) { false }
        clock.jump(by: .milliseconds(Int.random(in: 1..<2_000, using: &random)))
      }
    }
    await server.recover()
    for client in clients {
      #expect(await clock.advance(upTo: .seconds(2_000)) { await self.agrees(client, server) })
    }
    let left = Set(await ids(server))
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
