import CatalogueVersions
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import Synchronization
import TestSupport
import Testing
import WallClock

@testable import Broker
@testable import Router

/// Schedules on a real database, routed over a broker in memory, at a time that the test sets.
struct ScheduleBench: Sendable {
  /// Where a router may die while it hands on what is due.
  enum Death: CaseIterable, Sendable {
    case beforePublishing, afterPublishing, beforeAdvancing
  }

  struct Killed: Error {}

  /// What time it is.
  final class Clock: Sendable {
    private let time: Mutex<Date>

    init(_ time: Date) { self.time = Mutex(time) }

    var now: Date {
      get { time.withLock(\.self) }
      set { time.withLock { $0 = newValue } }
    }
  }

  let client: PostgresClient
  let clock: Clock
  let log = LogRecorder()
  private let router: TestRouter
  private let catalogues: CatalogueInForce

  var schedules: ScheduleStore { ScheduleStore(client: client) }

  /// - Parameters:
  ///   - time: When the test begins; near the present, for notifications' weeks are made by the schema.
  ///   - catalogues: What schedules are told by; nil is the catalogue of tests.
  static func with(
    at time: Date,
    catalogues: CatalogueInForce? = nil,
    _ body: @escaping @Sendable (ScheduleBench) async throws -> Void
  ) async throws {
    try await TestDatabase.with(connections: 4) { client in
      let clock = Clock(time)
      var router = TestRouter()
      router.clock = { clock.now }
      _ = try await client.query(
        "SELECT belfry_make_partitions(\(time - 40 * 86_400), \(time + 60 * 86_400))"
      )
      let catalogues = try catalogues ?? CatalogueInForce(TestRouter.catalogue.get())
      try await body(ScheduleBench(client: client, clock: clock, router: router, catalogues: catalogues))
    }
  }

  private init(client: PostgresClient, clock: Clock, router: TestRouter, catalogues: CatalogueInForce) {
    self.client = client
    self.clock = clock
    self.router = router
    self.catalogues = catalogues
  }

  // MARK: What there is

  func put(_ key: String, _ definition: String, of owner: String = "shop") async throws {
    _ = try await schedules.put(
      key,
      of: owner,
      definition: definition,
      startsOn: Zone.utc.localDate(at: clock.now),
      limit: 1_000,
      now: clock.now
    )
  }

  func settle(_ user: UserID, in zone: String?) async throws {
    let profile = UserStore.Profile(email: nil, displayName: nil, locale: nil, timezone: zone, isEnabled: true)
    _ = try await UserStore(client: client).put(profile, of: user)
  }

  // MARK: What happens

  /// One look of a router, which may die.
  @discardableResult
  func look(at works: [ScheduleStore.Work] = [.sends, .schedules], dying death: Death? = nil) async throws -> Bool {
    let publisher = RouterPublisher(publisher: router.broker)
    let runner = ScheduleRunner(
      schedules: MortalSchedules(store: schedules, death: death),
      residents: AudienceStore(client: client),
      catalogues: catalogues,
      home: .utc,
      publish: { sends in
        if death == .beforePublishing { throw Killed() }
        try await publisher.publish(sends)
        if death == .afterPublishing { throw Killed() }
      },
      clock: UncheckedClock { [clock] in clock.now },
      logger: log.logger
    )
    do {
      var isMore = false
      for work in works {
        if try await runner.round(of: work) { isMore = true }
      }
      return isMore
    } catch is Killed {
      return false
    }
  }

  /// Looks and routes until `end`, in steps of at most an hour and at each time that something comes due.
  func live(until end: Date, step: TimeInterval = 3_600) async throws {
    while true {
      while try await look() {}
      try await route()
      guard clock.now < end else { return }
      let due: Date? = try await client.query("SELECT min(next_at) FROM schedules").first?.get(0)
      clock.now = min(end, max(clock.now + 1, min(due ?? end, clock.now + step)))
    }
  }

  /// Routes what has come due.
  func route() async throws {
    try await router.worker(on: client).run()
  }

  /// Puts a send on the ingest queue as a backend does.
  func publish(_ body: String, id: RequestID) async throws {
    try await router.publish(
      body,
      id: id.description,
      type: IngestKind.request.messageType,
      headers: ["x-belfry-owner": .string("shop")]
    )
  }

  /// What the router was handed, and has not taken yet.
  var comingDue: [ScheduledSend] {
    get throws {
      try router.broker.messages(in: Topology.ingestQueue).filter { $0.type == ScheduledSend.messageType }
        .map {
          var send: ScheduledSend = try QueueCoder.decode(from: $0)
          send.catalogueVersion = $0.catalogueVersion
          return send
        }
    }
  }

  var deadLettered: [String] { router.deadLettered }

  var pushes: [DispatchMessage] {
    get throws { try router.dispatches(.push) }
  }

  // MARK: What came of it

  /// What somebody was sent.
  struct Notified: Equatable, CustomStringConvertible {
    var title: String
    var body: String
    var at: Date

    var description: String { "\(title): \(body) at \(at.rfc3339)" }
  }

  /// What a user was sent, in order.
  func notified(_ user: UserID) async throws -> [Notified] {
    try await client.query(
      "SELECT title, body, created_at FROM notifications WHERE user_id = \(user) ORDER BY created_at"
    ).map { Notified(title: try $0.get(0), body: try $0.get(1), at: try $0.get(2)) }
  }

  func times(_ user: UserID) async throws -> [String] { try await notified(user).map(\.at.rfc3339) }
}

/// A store over which a router works that dies before it notes what it has done.
private struct MortalSchedules: ScheduleStoring {
  let store: ScheduleStore
  let death: ScheduleBench.Death?

  func claim(
    _ work: ScheduleStore.Work,
    limit: Int,
    lease: TimeInterval,
    now: Date
  ) async throws -> [ScheduleStore.Claim] {
    try await store.claim(work, limit: limit, lease: lease, now: now)
  }

  func advance(_ advances: [ScheduleStore.Advance]) async throws {
    // The dead give nothing back.
    if death != nil { throw ScheduleBench.Killed() }
    try await store.advance(advances)
  }

  func finish(_ sends: [ScheduleStore.Claim]) async throws {
    if death != nil { throw ScheduleBench.Killed() }
    try await store.finish(sends)
  }
}
