import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct NotificationCacheTests {
  private let clock = TestClock()
  /// Of a user `anna`.
  private let token = "e30.eyJzdWIiOiJhbm5hIn0.x"
  private let inbox = CachedInbox(
    notifications: [notification(2, isRead: true), notification(1)],
    lastSeq: 2,
    unreadCount: 1,
    hasMore: false
  )

  private func client(_ server: InMemoryServer, _ cache: any NotificationCache) throws -> BelfryClient {
    var configuration = server.configuration()
    configuration.cache = cache
    let token = token
    return BelfryClient(configuration, jitter: Jitter { 0.5 }) { _ in token }
  }

  private func folder() -> URL {
    FileManager.default.temporaryDirectory.appending(path: "belfry-\(UUID().uuidString)")
  }

  @Test func `a start without a network shows what was there, and then what is new`() async throws {
    let server = InMemoryServer(clock, notifications: 30)
    let cache = MemoryCache()
    do {
      let client = try client(server, cache)
      await client.connect()
      #expect(await clock.advance { await cache.load(user: "anna")?.notifications.count == 20 })
    }
    await server.notify()
    await server.readElsewhere(notificationID(30))
    await server.deleteElsewhere(notificationID(12))
    await server.goOffline()
    let client = try client(server, cache)
    let received = client.notifications
    await client.connect()
    #expect(await clock.advance { await client.list().notifications.count == 20 })
    #expect(await client.unreadCount == 30)
    #expect(await client.list().hasMore)
    await server.goOnline()
    #expect(await clock.advance(upTo: .seconds(400)) { await client.session.isResumed })
    #expect(await clock.advance { await client.unreadCount == (await server.unreadCount()) })
    #expect(await client.list().notifications.first?.seq == 31)
    #expect(await client.notification(notificationID(30))?.isRead == true)
    #expect(await client.notification(notificationID(12)) == nil)
    await client.signOut()
    var missed: [Int64?] = []
    for await item in received { missed.append(item.isMissed ? item.notification.seq : nil) }
    #expect(missed == [31])
  }

  @Test func `signing out forgets the user`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let cache = MemoryCache()
    let client = try client(server, cache)
    await client.connect()
    #expect(await clock.advance { await cache.load(user: "anna") != nil })
    await server.notify()
    await client.signOut()
    #expect(await cache.load(user: "anna") == nil)
    clock.jump(by: .seconds(60))
    _ = await settles(1_000) { false }
    #expect(await cache.load(user: "anna") == nil)
  }

  @Test func `who signs out before it is known who that is leaves nothing`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let cache = MemoryCache()
    await cache.save(inbox, user: "anna")
    var configuration = server.configuration()
    configuration.cache = cache
    let client = BelfryClient(configuration, jitter: Jitter { 0.5 }) { _ in throw BelfryError(.offline) }
    await client.connect()
    await client.signOut()
    #expect(await cache.load(user: "anna") == nil)
    let folder = folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = FileCache(directory: folder)
    for user in ["anna", "bert"] { await files.save(inbox, user: user) }
    try Data().write(to: folder.appending(path: "other.json"))
    await files.removeAll()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["other.json"])
  }

  @Test func `a folder in which nothing can be written is as good as none`() async throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder)
    let cache = FileCache(directory: folder)
    await cache.save(inbox, user: "anna")
    #expect(await cache.load(user: "anna") == nil)
    await cache.remove(user: "anna")
  }

  @Test func `files are one for each user, and gone when they are removed`() async throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let cache = FileCache(directory: folder)
    #expect(await cache.load(user: "anna") == nil)
    await cache.save(inbox, user: "anna")
    #expect(await cache.load(user: "anna") == inbox)
    #expect(await FileCache(directory: folder).load(user: "anna") == inbox)
    #expect(await cache.load(user: "bert") == nil)
    await cache.remove(user: "anna")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).isEmpty)
  }

  @Test func `a broken file, or somebody else's, is as good as none`() async throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let cache = FileCache(directory: folder)
    await cache.save(inbox, user: "anna")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path()).first)
    let file = folder.appending(path: name)
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.replacing("anna", with: "bert").utf8).write(to: file)
    #expect(await cache.load(user: "anna") == nil)
    try Data("{".utf8).write(to: file)
    #expect(await cache.load(user: "anna") == nil)
  }

  @Test func `no more is kept than is useful, and nothing that is pending`() {
    var inbox = Inbox()
    let page = NotificationPage(notifications: (1...300).map { notification($0) }, unreadCount: 300, hasMore: false)
    _ = inbox.take(page, of: Inbox.main, asked: inbox.ask(), isFirst: true)
    inbox.add(InboxOperation(id: 1, .read, [notificationID(300)], since: Date()))
    #expect(inbox.kept?.notifications.count == CachedInbox.maximumNotifications)
    #expect(inbox.kept?.notifications.first?.seq == 300)
    #expect(inbox.kept?.notifications.first?.isRead == false)
    #expect(inbox.kept?.unreadCount == 300)
    #expect(inbox.kept?.hasMore == true)
  }
}
