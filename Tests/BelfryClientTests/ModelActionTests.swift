import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

/// Everything that a user does in a notification centre: shown at once, and the server's in the end.
@MainActor
struct ModelActionTests {
  private let clock = TestClock()
  private let server: InMemoryServer
  private let client: BelfryClient
  private let model: NotificationCenterModel

  init() async throws {
    server = InMemoryServer(clock, notifications: 3)
    client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    model = NotificationCenterModel(client)
  }

  private var seqs: [Int64] { model.notifications.compactMap(\.seq) }

  private func connect() async {
    await client.connect()
    #expect(await clock.advance { model.notifications.count == 3 && model.connectionState == .connected })
  }

  /// Whether the list is that, and the counts are one.
  private func comes(_ expected: [Int64], within time: Duration = .seconds(60)) async -> Bool {
    await clock.advance(upTo: time) {
      let (waiting, count) = (await client.session.inbox.operations, await server.unreadCount())
      return waiting.isEmpty && seqs == expected && model.unreadCount == count
    }
  }

  @Test func `what is snoozed is out of the inbox, and comes back by itself or when it is called`() async throws {
    await connect()
    await model.snooze(notificationID(2), until: clock.now.addingTimeInterval(3_600))
    #expect(seqs == [3, 1])
    #expect(model.unreadCount == 2)
    #expect(await clock.advance { await server.inbox(place: .snoozed).map(\.seq) == [2] })
    model.filter = NotificationTab.snoozed.filter
    #expect(await comes([2]))
    await model.unsnooze(notificationID(2))
    #expect(seqs == [])
    model.filter = NotificationTab.all.filter
    #expect(await comes([3, 2, 1]))
    #expect(model.unreadCount == 3)
    await model.snooze(notificationID(3), until: clock.now.addingTimeInterval(600))
    #expect(await comes([2, 1]))
    await clock.advance(by: .seconds(590))
    #expect(seqs == [2, 1])
    #expect(await comes([3, 2, 1]))
    #expect(model.unreadCount == 3)
    await client.signOut()
  }

  @Test func `reading and archiving go both ways`() async throws {
    await connect()
    await model.markAllAsRead()
    #expect(model.unreadCount == 0)
    #expect(model.notifications.count(where: \.isUnread) == 0)
    await model.markAsUnread(notificationID(1))
    #expect(model.unreadCount == 1)
    #expect(await comes([3, 2, 1]))
    #expect(await server.unreadCount() == 1)
    await model.archive(notificationID(1))
    #expect(seqs == [3, 2])
    #expect(model.unreadCount == 0)
    model.filter = NotificationTab.archived.filter
    #expect(await comes([1]))
    await model.unarchive(notificationID(1))
    #expect(seqs == [])
    model.filter = NotificationTab.all.filter
    #expect(await comes([3, 2, 1]))
    #expect(model.unreadCount == 1)
    await client.signOut()
  }

  @Test func `a button, an opening and a sight are reported, once each`() async throws {
    await connect()
    let item = await server.deliver(type: 20)
    #expect(await clock.advance { model.notifications.first?.id == item.id })
    let action = try #require(model.notifications.first?.actions.first)
    for _ in 0..<2 {
      await model.opened(item.id)
      for number in 1...3 { await model.markAsSeen(notificationID(number)) }
    }
    await model.perform(action, of: item.id)
    #expect(model.notifications.first?.openedAt != nil)
    #expect(await clock.advance { await server.notification(notificationID(1))?.seenAt != nil })
    #expect(await comes([4, 3, 2, 1]))
    let path = "/api/v1/notifications"
    #expect(await server.requests("POST", "\(path)/\(item.id.wireText)/opened").count == 1)
    #expect(await server.requests("POST", "\(path)/\(item.id.wireText)/actions/\(action.id)").count == 1)
    #expect(await server.requests("POST", "\(path)/seen").count == 1)
    #expect(await server.notification(item.id)?.openedAt != nil)
    // Seen is not read.
    #expect(model.unreadCount == 4)
    await client.signOut()
  }

  @Test func `a button that there is no more is an error, and its notification stays`() async throws {
    await connect()
    await model.perform(BelfryAction(id: "NONE", title: "None"), of: notificationID(3))
    #expect(await clock.advance { model.error?.code == .notFound })
    #expect(seqs == [3, 2, 1])
    await client.signOut()
  }
}

/// Calls of a user have no idempotency key: each may be sent again after its answer was lost.
struct LostAnswerTests {
  private let clock = TestClock()

  enum Act: CaseIterable, Sendable {
    case read, readSeveral, readAll, unread, archive, unarchive, snooze, unsnooze, delete, perform
  }

  private func carryOut(_ act: Act, _ id: UUID, _ client: BelfryClient) async -> PendingOperation {
    switch act {
    case .read: await client.markAsRead([id])
    case .readSeveral: await client.markAsRead([id, notificationID(1)])
    case .readAll: await client.markAllAsRead()
    case .unread: await client.markAsUnread(id)
    case .archive: await client.archive(id)
    case .unarchive: await client.unarchive(id)
    case .snooze: await client.snooze(id, until: Date(timeIntervalSince1970: 1_800_086_400))
    case .unsnooze: await client.unsnooze(id)
    case .delete: await client.delete(id)
    case .perform: await client.perform("VIEW_GOALS", of: id)
    }
  }

  @Test(arguments: Act.allCases) func `what is sent again does no harm`(act: Act) async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    let id = await server.deliver(type: 20).id
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    // What is to be taken back has to be so.
    switch act {
    case .unread: try await client.markAsRead([id]).result()
    case .unarchive: try await client.archive(id).result()
    case .unsnooze: try await client.snooze(id, until: clock.now.addingTimeInterval(86_400)).result()
    default: break
    }
    let (sent, first) = (Locked<[String]>([]), Locked(true))
    await server.fail(with: .lostAnswer) { request in
      guard request.method != "GET", request.url.path().hasPrefix("/api/v1/notifications") else { return false }
      sent.withLock { $0.append("\(request.method) \(request.url.path()) \(request.text)") }
      return first.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
    }
    let operation = await carryOut(act, id, client)
    #expect(await clock.advance(upTo: .seconds(5)) { !first.withLock { $0 } })
    let done = await server.notification(id)
    #expect(await clock.advance(upTo: .seconds(120)) { await client.session.inbox.operations.isEmpty })
    try await operation.result()
    #expect(sent.withLock { $0.count } == 2)
    // All are named the second time.
    #expect(Set(sent.withLock { $0 }).count == (act == .readAll ? 2 : 1))
    // As the first one left it, its times as well.
    #expect(await server.notification(id) == done)
    #expect(await clock.advance { await client.unreadCount == (await server.unreadCount()) })
    #expect(await client.list().notifications.map(\.id) == (await server.inbox().map(\.id)))
    await client.signOut()
  }

  @Test func `all that is read again leaves out what came meanwhile`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    await server.fail(next: 1, with: .lostAnswer) { $0.method == "POST" && $0.url.path().hasSuffix("/read") }
    let first = await client.markAllAsRead()
    #expect(await settles { await server.unreadCount() == 0 })
    await server.notify()
    #expect(await clock.advance { await client.unreadCount == 1 })
    #expect(await clock.advance(upTo: .seconds(120)) { await client.session.inbox.operations.isEmpty })
    try await first.result()
    #expect(await server.inbox().map(\.isRead) == [false, true, true, true])
    // And so where nothing of it had arrived.
    await server.goOffline()
    let second = await client.markAllAsRead()
    #expect(await client.unreadCount == 0)
    #expect(await settles { await client.session.inbox.operations.first?.failures ?? 0 > 0 })
    clock.jump(by: .seconds(3_600))
    await server.notify()
    await server.goOnline()
    #expect(await clock.advance(upTo: .seconds(400)) { await server.unreadCount() == 1 })
    try await second.result()
    #expect(await clock.advance(upTo: .seconds(60)) { await client.unreadCount == 1 })
    #expect(await server.inbox().map(\.isRead) == [false, true, true, true, true])
    await client.signOut()
  }

  @Test func `of more than was loaded all is meant again`() async throws {
    let server = InMemoryServer(clock, notifications: 30)
    let client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    await server.fail(next: 2, with: .status(503)) { $0.method == "POST" && $0.url.path().hasSuffix("/read") }
    let operation = await client.markAllAsRead()
    #expect(await clock.advance(upTo: .seconds(120)) { await client.session.inbox.operations.isEmpty })
    try await operation.result()
    #expect(await server.unreadCount() == 0)
    #expect(await clock.advance { await client.unreadCount == 0 })
    await client.signOut()
  }
}
