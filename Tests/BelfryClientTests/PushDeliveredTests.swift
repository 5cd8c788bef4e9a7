import Foundation
import Testing

@testable import BelfryClient

struct PushDeliveredTests {
  private let clock = TestClock()

  private func delivered(_ numbers: Int...) -> [DeliveredNotification] {
    numbers.map { DeliveredNotification(identifier: "push\($0)", notification: notificationID($0)) }
      + [DeliveredNotification(identifier: "the app's own", notification: nil)]
  }

  private func connected(_ server: FakeServer) async throws -> BelfryClient {
    let client = BelfryClient(try server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    await client.connect()
    #expect(await clock.passes { await client.session.isResumed })
    return client
  }

  @Test func `what is read, archived or deleted elsewhere is taken away, and nothing else`() async throws {
    let server = FakeServer(clock, notifications: 5)
    let client = try await connected(server)
    let system = FakeSystem(delivered: delivered(1, 2, 3, 4, 99))
    let sweeping = Task { [sweep = DeliveredSweep(client, in: system)] in await sweep.run() }
    // It listens.
    #expect(await settles { client.session.outlets.changes.readers > 0 })
    server.change(notificationID(1)) { $0.with { $0.isRead = true } }
    server.change(notificationID(2)) { _ in nil }
    server.change(notificationID(3)) { $0.with { $0.archivedAt = Date(timeIntervalSince1970: 1_800_000_000) } }
    #expect(await clock.passes { await system.list == self.delivered(4, 99) })
    await client.signOut()
    await sweeping.value
  }

  @Test func `many changes are one look into the system's list, and arrivals none`() async throws {
    let server = FakeServer(clock, notifications: 20)
    let client = try await connected(server)
    let system = FakeSystem(delivered: delivered(1))
    let sweeping = Task { [sweep = DeliveredSweep(client, in: system)] in await sweep.run() }
    #expect(await settles { client.session.outlets.changes.readers > 0 })
    server.notify()
    #expect(await clock.passes { await client.unreadCount == 21 })
    _ = await clock.passes(.seconds(1)) { false }
    #expect(await system.looks == 0)
    for number in 1...20 { server.change(notificationID(number)) { $0.with { $0.isRead = true } } }
    #expect(await clock.passes { await system.list == self.delivered() })
    #expect(await system.looks <= 2)
    sweeping.cancel()
    await sweeping.value
    await client.signOut()
  }

  @Test func `following the changes keeps no client alive`() async throws {
    let server = FakeServer(clock, notifications: 1)
    weak var gone: BelfryClient?
    let sweeping: Task<Void, Never>
    do {
      let client = try await connected(server)
      sweeping = Task { [sweep = DeliveredSweep(client, in: FakeSystem())] in await sweep.run() }
      gone = client
    }
    #expect(await settles { gone == nil })
    await sweeping.value
  }
}
