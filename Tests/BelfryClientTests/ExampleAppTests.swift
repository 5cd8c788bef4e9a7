import BelfryClient
import BelfryClientTesting
import Testing

/// What an app shows beside its bell. Such a type is the app's own.
@MainActor
final class BellModel {
  let center: NotificationCenterModel

  init(_ client: BelfryClient) {
    center = NotificationCenterModel(client)
  }

  var badge: String {
    switch center.unreadCount ?? 0 {
    case 0: ""
    case let count where count > 99: "99+"
    case let count: String(count)
    }
  }

  var hint: String? {
    switch center.connectionState {
    case .unauthorized: "Please sign in again."
    case .reconnecting: "Waiting for the network …"
    case .disconnected, .connecting, .connected, .paused: nil
    }
  }
}

/// How an app tests what it makes of the client: docs/swift-testing.md tells the same.
@MainActor
struct ExampleAppTests {
  let clock = TestClock()
  let server: InMemoryServer
  let client: BelfryClient
  let bell: BellModel

  init() async {
    server = InMemoryServer(clock: clock)
    client = server.client()
    bell = BellModel(client)
    await client.connect()
    #expect(await clock.advance { await server.connections() == 1 })
  }

  @Test func `what comes is counted`() async {
    await server.deliver(title: "Dinner is ready")
    #expect(await clock.advance { bell.badge == "1" })
    #expect(bell.center.notifications.map(\.title) == ["Dinner is ready"])
    await server.deliver(count: 100)
    #expect(await clock.advance { bell.badge == "99+" })
    await server.readAllElsewhere()
    #expect(await clock.advance { bell.badge == "" })
  }

  @Test func `a token that has expired is replaced, and a user who is refused is told`() async {
    await server.expireTokens()
    #expect(await clock.advance { await server.connections() == 1 && bell.hint == nil })
    await server.fail(with: .unauthorized)
    await server.cutLine()
    #expect(await clock.advance { bell.hint == "Please sign in again." })
  }

  @Test func `an hour without a network loses nothing`() async {
    await server.goOffline()
    await server.deliver(title: "While you were away")
    await clock.advance(by: .seconds(3_600))
    #expect(bell.hint == "Waiting for the network …")
    #expect(bell.badge == "")
    await server.goOnline()
    #expect(await clock.advance(upTo: .seconds(300)) { bell.badge == "1" && bell.hint == nil })
  }

  @Test func `a deletion can be undone for five seconds`() async {
    let dinner = await server.deliver(title: "Dinner is ready")
    #expect(await clock.advance { bell.badge == "1" })
    await bell.center.delete(dinner.id)
    #expect(bell.badge == "")
    await clock.advance(by: .seconds(4))
    #expect(await bell.center.undoDelete())
    #expect(bell.badge == "1")
    await bell.center.delete(dinner.id)
    await clock.advance(by: .seconds(6))
    #expect(await server.inbox() == [])
    #expect(await bell.center.undoDelete() == false)
  }
}
