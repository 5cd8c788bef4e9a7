import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

/// How long streams and models last, and what they keep alive: nothing.
struct LifetimeTests {
  private let clock = TestClock()

  /// The streams that apps read.
  enum Kind: CaseIterable, Sendable {
    case notifications, unreadCounts, changes, states, errors, events

    /// Asks for a stream at once; what comes back reads it to its end.
    func reader(of client: BelfryClient) -> @Sendable () async -> Void {
      switch self {
      case .notifications: Self.reader(client.notifications)
      case .unreadCounts: Self.reader(client.unreadCounts)
      case .changes: Self.reader(client.changes)
      case .states: Self.reader(client.states)
      case .errors: Self.reader(client.errors)
      case .events: Self.reader(client.events("BalanceUpdated", as: [Double].self))
      }
    }

    private static func reader<Element: Sendable>(_ stream: AsyncStream<Element>) -> @Sendable () async -> Void {
      { for await _ in stream {} }
    }
  }

  private func connected(_ server: InMemoryServer) async -> BelfryClient {
    let client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    return client
  }

  /// Reads in a task; the second value is whether the stream has ended.
  private func read(_ kind: Kind, of client: BelfryClient) -> (Task<Void, Never>, Locked<Bool>) {
    let (reader, isOver) = (kind.reader(of: client), Locked(false))
    let task = Task {
      await reader()
      isOver.withLock { $0 = true }
    }
    return (task, isOver)
  }

  @Test(arguments: Kind.allCases) func `each stream ends when the user signs out`(kind: Kind) async throws {
    let server = InMemoryServer(clock, notifications: 3)
    let client = await connected(server)
    let (task, isOver) = read(kind, of: client)
    let (outlets, before) = (client.session.outlets, client.session.outlets.readers)
    #expect(before == 1)
    await server.notify()
    #expect(await clock.advance { await client.unreadCount == 4 })
    #expect(!isOver.withLock { $0 })
    await client.signOut()
    #expect(await settles { isOver.withLock { $0 } })
    #expect(outlets.readers == 0)
    // The next stream is the next user's.
    let (next, isNextOver) = read(kind, of: client)
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    #expect(!isNextOver.withLock { $0 })
    await client.signOut()
    #expect(await settles { isNextOver.withLock { $0 } })
    task.cancel()
    next.cancel()
  }

  @Test(arguments: Kind.allCases) func `a reader keeps no client alive, and a client no reader`(kind: Kind) async throws
  {
    let server = InMemoryServer(clock, notifications: 3)
    weak var gone: BelfryClient?
    weak var session: UserSession?
    let reading: (Task<Void, Never>, Locked<Bool>)
    do {
      let client = await connected(server)
      // A thousand who look for a moment leave nothing.
      for _ in 0..<1_000 { _ = kind.reader(of: client) }
      let (task, isOver) = read(kind, of: client)
      task.cancel()
      #expect(await settles { isOver.withLock { $0 } })
      #expect(await settles { client.session.outlets.readers == 0 })
      reading = read(kind, of: client)
      (gone, session) = (client, client.session)
    }
    #expect(await settles { gone == nil && session == nil })
    #expect(await settles { reading.1.withLock { $0 } })
    #expect(await settles { await server.connections() == 0 })
    reading.0.cancel()
  }

  @MainActor
  @Test func `a model lasts as long as somebody holds it, and holds no client that nobody needs`() async throws {
    let server = InMemoryServer(clock, notifications: 3)
    weak var gone: BelfryClient?
    weak var models: Models?
    do {
      let client = await connected(server)
      let before = client.session.outlets.updates.readers
      for _ in 0..<3 {
        weak var center: NotificationCenterModel?
        weak var preferences: PreferencesModel?
        weak var devices: DevicesModel?
        do {
          let all = Models(client)
          (center, preferences, devices, models) = (all.center, all.preferences, all.devices, all)
          await all.preferences.load()
          await all.devices.load()
          #expect(await clock.advance { all.center.notifications.count == 3 && all.preferences.preferences != nil })
          #expect(await settles { client.session.outlets.updates.readers == before + 3 })
        }
        #expect(await settles { models == nil && center == nil && preferences == nil && devices == nil })
        #expect(await settles { client.session.outlets.updates.readers == before })
      }
      let last = Models(client)
      #expect(await clock.advance { last.center.notifications.count == 3 })
      (gone, models) = (client, last)
    }
    #expect(await settles { gone == nil && models == nil })
    #expect(await settles { await server.connections() == 0 })
  }

  @MainActor
  private final class Models {
    let center: NotificationCenterModel
    let preferences: PreferencesModel
    let devices: DevicesModel

    init(_ client: BelfryClient) {
      (center, preferences, devices) = (
        NotificationCenterModel(client), PreferencesModel(client), DevicesModel(client)
      )
    }
  }
}

extension Outlets {
  /// How many streams there are of those that apps read.
  fileprivate var readers: Int {
    [notifications.readers, unreadCounts.readers, changes.readers, states.readers, errors.readers, events.readers]
      .reduce(0, +)
  }
}
