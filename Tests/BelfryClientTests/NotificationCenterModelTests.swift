import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

@MainActor
struct NotificationCenterModelTests {
  private let clock = TestClock()

  private func client(_ server: InMemoryServer) throws -> BelfryClient {
    BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
  }

  private func seqs(_ model: NotificationCenterModel) -> [Int64] { model.notifications.compactMap(\.seq) }

  @Test func `it shows what there is and what comes`() async throws {
    let server = InMemoryServer(clock, notifications: 30)
    let client = try client(server)
    let model = NotificationCenterModel(client)
    #expect(model.unreadCount == nil)
    await client.connect()
    #expect(
      await clock.advance {
        model.unreadCount == 30 && model.notifications.count == 20 && model.connectionState == .connected
      }
    )
    #expect(model.hasMore)
    await model.loadMore()
    #expect(model.notifications.count == 30)
    await server.notify()
    #expect(await clock.advance { model.notifications.count == 31 && model.unreadCount == 31 })
    await client.signOut()
  }

  @Test func `what the user does is shown at once`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    let model = NotificationCenterModel(client)
    await client.connect()
    #expect(await clock.advance { model.unreadCount == 3 && model.connectionState == .connected })
    await model.markAsRead(notificationID(3))
    #expect(model.unreadCount == 2)
    await model.delete(notificationID(2))
    #expect(seqs(model) == [3, 1])
    #expect(model.deletions.map(\.id) == [notificationID(2)])
    #expect(await model.undoDelete())
    #expect(seqs(model) == [3, 2, 1])
    #expect(await model.undoDelete() == false)
    await model.archive(notificationID(1))
    #expect(seqs(model) == [3, 2])
    await client.signOut()
  }

  @Test func `each filter shows its own list`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    await server.archiveElsewhere(notificationID(1))
    await server.readElsewhere(notificationID(2))
    let client = try client(server)
    let model = NotificationCenterModel(client)
    await client.connect()
    #expect(await clock.advance { seqs(model) == [3, 2] && model.connectionState == .connected })
    model.filter = NotificationTab.archived.filter
    #expect(await clock.advance { seqs(model) == [1] })
    model.filter = NotificationTab.unread.filter
    #expect(await clock.advance { seqs(model) == [3] })
    await client.signOut()
  }

  @Test func `after the user has signed out nothing is left, and the next one begins anew`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    let model = NotificationCenterModel(client)
    await client.connect()
    #expect(await clock.advance { model.notifications.count == 3 })
    await client.signOut()
    #expect(await clock.advance { model.notifications.isEmpty && model.unreadCount == nil })
    await server.notify()
    await client.connect()
    #expect(await clock.advance { model.notifications.count == 4 })
    await client.signOut()
  }

  @Test func `what was read for a user who has signed out is not shown any more`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    let model = NotificationCenterModel(client)
    for _ in 0..<50 {
      await client.connect()
      #expect(await clock.advance { model.notifications.count == 3 })
      async let read: Void = model.markAsRead(notificationID(1))
      async let left: Void = client.signOut()
      _ = await (read, left)
      #expect(
        await clock.advance { model.notifications.isEmpty && model.unreadCount == nil && model.deletions.isEmpty }
      )
      for _ in 0..<20 { await Task.yield() }
      #expect(model.notifications.isEmpty)
      await client.signOut()
    }
  }

  @Test func `two models with lists of their own are both in step`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    let unread = NotificationCenterModel(client, filter: NotificationTab.unread.filter)
    let archived = NotificationCenterModel(client, filter: NotificationTab.archived.filter)
    await client.connect()
    #expect(await clock.advance { unread.isLoaded && archived.isLoaded && unread.notifications.count == 3 })
    await client.setPaused(true)
    await server.archiveElsewhere(notificationID(2))
    await client.setPaused(false)
    #expect(
      await clock.advance { seqs(unread) == [3, 1] && seqs(archived) == [2] && unread.isLoaded && archived.isLoaded }
    )
    await client.refresh()
    #expect(await clock.advance { unread.isLoaded && archived.isLoaded })
    await client.signOut()
  }

  @Test func `a deletion that was taken back is another one than the next of the same notification`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    let model = NotificationCenterModel(client)
    await client.connect()
    #expect(await clock.advance { model.notifications.count == 3 })
    await model.delete(notificationID(2))
    await model.delete(notificationID(2))
    #expect(model.deletions.count == 1)
    #expect(await model.undoDelete())
    await model.delete(notificationID(2))
    for _ in 0..<1_000 { await Task.yield() }
    #expect(model.deletions.count == 1)
    #expect(await model.undoDelete())
    #expect(seqs(model) == [3, 2, 1])
    // Too late.
    await model.delete(notificationID(1))
    #expect(await clock.advance { model.deletions.isEmpty })
    #expect(await model.undoDelete() == false)
    #expect(await server.inbox().count == 2)
    await client.signOut()
  }

  @Test func `an app that looks away for a long time has what there is`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = try client(server)
    let model = NotificationCenterModel(client)
    await client.connect()
    #expect(await clock.advance { model.notifications.count == 3 && model.connectionState == .connected })
    // Nothing here yields to the main actor's other work: streams fill up behind it.
    for _ in 0..<3_000 { await server.notify() }
    #expect(await clock.advance { model.notifications.count == 3_003 && model.unreadCount == 3_003 })
    await client.signOut()
  }

  @Test func `a refused operation is an error, and taken back`() async throws {
    let server = InMemoryServer(clock, notifications: 2)
    let client = try client(server)
    let model = NotificationCenterModel(client)
    await client.connect()
    #expect(await clock.advance { model.notifications.count == 2 && model.connectionState == .connected })
    await server.fail(with: .status(403)) { $0.method == "PATCH" }
    await model.archive(notificationID(1))
    #expect(await clock.advance { model.error?.code == .forbidden && seqs(model) == [2, 1] })
    await client.signOut()
  }

  @Test func `a model that nobody needs is gone, and so is its client`() async throws {
    let server = InMemoryServer(clock, notifications: 2)
    weak var gone: NotificationCenterModel?
    weak var goneClient: BelfryClient?
    do {
      let client = try client(server)
      let model = NotificationCenterModel(client)
      await client.connect()
      #expect(await clock.advance { model.notifications.count == 2 })
      (gone, goneClient) = (model, client)
    }
    #expect(await settles { gone == nil && goneClient == nil })
  }
}
