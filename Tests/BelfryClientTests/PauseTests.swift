import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct PauseTests {
  @Test func `paused it asks for nothing, and then has what it missed`() async throws {
    let clock = TestClock()
    let server = InMemoryServer(clock, notifications: 3)
    let client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    var (states, received) = (client.states.makeAsyncIterator(), client.notifications.makeAsyncIterator())
    #expect(await states.next() == .disconnected)
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    #expect(await states.next() == .connecting)
    #expect(await states.next() == .connected)
    await client.setPaused(true)
    #expect(await states.next() == .paused)
    #expect(await settles { await server.connections() == 0 })
    let count = await server.requests.count
    await server.notify()
    for _ in 0..<60 {
      clock.jump(by: .seconds(60))
      _ = await settles(50) { false }
    }
    await client.enterForeground()
    _ = await settles(500) { false }
    #expect(await server.requests.count == count)
    await client.setPaused(false)
    #expect(await states.next() == .reconnecting)
    #expect(await clock.advance { await client.unreadCount == 4 })
    #expect(await states.next() == .connected)
    let missed = await received.next()
    #expect(missed?.notification.seq == 4)
    #expect(missed?.isMissed == true)
    await client.signOut()
  }
}
