import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct PushDeliveredTests {
  private let clock = TestClock()

  private func delivered(_ numbers: Int...) -> [DeliveredNotification] {
    numbers.map { DeliveredNotification(identifier: "push\($0)", notification: notificationID($0)) }
      + [DeliveredNotification(identifier: "the app's own", notification: nil)]
  }

  private func connected(_ server: InMemoryServer) async throws -> BelfryClient {
    let client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    return client
  }

  @Test func `what is read, archived or deleted elsewhere is taken away, and nothing else`() async throws {
    let server = InMemoryServer(clock, notifications: 5)
    let client = try await connected(server)
    let system = FakeSystem(delivered: delivered(1, 2, 3, 4, 99))
    let sweeping = Task { [sweep = DeliveredSweep(client, in: system)] in await sweep.run() }
    // It listens.
    #expect(await settles { client.session.outlets.changes.readers > 0 })
    await server.readElsewhere(notificationID(1))
    await server.deleteElsewhere(notificationID(2))
    await server.archiveElsewhere(notificationID(3))
    #expect(await clock.advance { await system.list == self.delivered(4, 99) })
    await client.signOut()
    await sweeping.value
  }

  @Test func `many changes are one look into the system's list, and arrivals none`() async throws {
    let server = InMemoryServer(clock, notifications: 20)
    let client = try await connected(server)
    let system = FakeSystem(delivered: delivered(1))
    let sweeping = Task { [sweep = DeliveredSweep(client, in: system)] in await sweep.run() }
    #expect(await settles { client.session.outlets.changes.readers > 0 })
    await server.notify()
    #expect(await clock.advance { await client.unreadCount == 21 })
    _ = await clock.advance(upTo: .seconds(1)) { false }
    #expect(await system.looks == 0)
    for number in 1...20 { await server.readElsewhere(notificationID(number)) }
    #expect(await clock.advance { await system.list == self.delivered() })
    #expect(await system.looks <= 2)
    sweeping.cancel()
    await sweeping.value
    await client.signOut()
  }

  @Test func `following the changes keeps no client alive`() async throws {
    let server = InMemoryServer(clock, notifications: 1)
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
