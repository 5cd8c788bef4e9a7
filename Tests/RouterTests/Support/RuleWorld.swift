import CatalogueVersions
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import Rules
import Synchronization
import TestSupport
import WallClock

@testable import Broker
@testable import Router

/// Routers on a real database and a broker in memory; the time is the test's. Each ``run(until:)`` is a new process.
struct RuleWorld {
  /// A notification as it is stored.
  struct Notified: Hashable, CustomStringConvertible {
    var user: UserID
    var type: String
    var title: String
    var body: String
    var about: String?
    var at: Date

    var description: String { "\(type) to \(user) at \(at): \(title) | \(body)" }
  }

  /// Time that moves when the test says so.
  final class Clock: Sendable {
    private let time: Mutex<Date>

    init(_ start: Date) { time = Mutex(start) }

    var now: Date {
      get { time.withLock(\.self) }
      set { time.withLock { $0 = newValue } }
    }
  }

  let client: PostgresClient
  let clock: Clock
  var router = TestRouter()

  /// Noon of today in UTC: a partition for a month from here is there.
  static var noon: Date {
    Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400 + 43_200)
  }

  static let zone = Zone("Europe/Berlin")!

  /// Runs `body` in a world of its own.
  static func with(_ body: (RuleWorld) async throws -> Void) async throws {
    try await TestDatabase.with(connections: 4) { client in try await body(RuleWorld(client)) }
  }

  init(_ client: PostgresClient, at start: Date = RuleWorld.noon) {
    self.client = client
    let clock = Clock(start)
    self.clock = clock
    router.clock = { clock.now }
  }

  /// A world with another broker, in which nothing has happened.
  func afresh() async throws -> RuleWorld {
    _ = try await client.query(
      "TRUNCATE notifications, inbox, held, throttle_uses, rule_states, rule_notices, rule_scans, idempotency_keys, users, group_members"
    )
    return RuleWorld(client, at: clock.now)
  }

  // MARK: Routers

  /// Runs a router until nothing is left to do, or it dies; what it held then goes back to the queue.
  @discardableResult
  func run(until death: Lifetime.Death? = nil) async throws -> Lifetime {
    let life = Lifetime(until: death)
    do {
      try await timers(life).work()
      try await absences(life).work()
      try await router.worker(on: client, living: life).run()
    } catch  where !life.isAlive {
      // It died.
    }
    router.broker.crash(Topology.ingestQueue)
    return life
  }

  /// Lets time pass and runs a router.
  func run(at time: Date) async throws {
    clock.now = time
    try await run()
  }

  private func publisher(_ life: Lifetime) -> NoticePublisher {
    NoticePublisher(
      store: LivingStores(client: client, life: life),
      publisher: RouterPublisher(publisher: router.broker.publisher(living: life))
    )
  }

  func timers(_ life: Lifetime = Lifetime()) throws -> RuleTimerWorker {
    let clock = clock
    return RuleTimerWorker(
      catalogues: CatalogueInForce(try router.catalogue.get()),
      store: LivingStores(client: client, life: life),
      notices: publisher(life),
      zone: .utc,
      logger: router.log.logger,
      metrics: router.metrics,
      limit: 3,
      clock: UncheckedClock { clock.now }
    )
  }

  func absences(_ life: Lifetime = Lifetime()) throws -> AbsenceWorker {
    let clock = clock
    return AbsenceWorker(
      catalogues: CatalogueInForce(try router.catalogue.get()),
      store: LivingStores(client: client, life: life),
      recipients: RecipientStore(client: client),
      identifiers: UserIdentifierStore(client: client, logger: router.log.logger),
      notices: publisher(life),
      zone: .utc,
      logger: router.log.logger,
      metrics: router.metrics,
      limit: 3,
      clock: UncheckedClock { clock.now }
    )
  }

  // MARK: What happens

  /// Reports an event as the gateway publishes it; reported again with the same id, it is the same event.
  @discardableResult
  func report(
    _ name: String,
    _ payload: String,
    id: RequestID? = nil,
    occurredAt: Date? = nil,
    audience: String? = nil
  ) async throws -> RequestID {
    let id = id ?? RequestID(now: clock.now)
    let time = occurredAt.map { #","occurredAt":"\#($0.rfc3339)""# } ?? ""
    let to = audience.map { #","audience":\#($0)"# } ?? ""
    try await router.publish(
      #"{"name":"\#(name)","payload":{\#(payload)}\#(time)\#(to)}"#,
      id: id.description,
      type: IngestKind.event.messageType,
      key: Topology.eventKey
    )
    return id
  }

  /// Somebody with a profile.
  func person(_ name: String? = nil, zone: Zone? = RuleWorld.zone) async throws -> UserID {
    let user = UserID(UUID())
    _ = try await UserStore(client: client).put(
      .init(email: nil, displayName: name, locale: nil, timezone: zone?.identifier, isEnabled: true),
      of: user
    )
    return user
  }

  /// Switches a type on or off for somebody.
  func choose(_ choices: ChannelChoices, for type: NotificationType, of user: UserID) async throws {
    let types = try router.catalogue.get().types
    _ = try await SettingsStore(client: client).change(of: user, in: types, at: clock.now) { settings in
      settings.rows = settings.rows.setting(PreferenceRows(types: [type.code: choices]), in: types)
    }
  }

  // MARK: What came of it

  /// Everything that is in inboxes, in the order of time.
  func notified() async throws -> [Notified] {
    let catalogue = try router.catalogue.get()
    var notified: [Notified] = []
    for row in try await client.query(
      "SELECT user_id, type, title, body, related_id, created_at FROM notifications ORDER BY created_at, user_id, type"
    ) {
      let code: Int = try row.get("type")
      notified.append(
        Notified(
          user: try row.get("user_id"),
          type: catalogue.type(.code(code))?.name ?? "\(code)",
          title: try row.get("title"),
          body: try row.get("body"),
          about: try row.get("related_id"),
          at: try row.get("created_at")
        )
      )
    }
    return notified
  }

  /// How many notices the broker has not confirmed.
  func unpublished() async throws -> Int {
    try await client.query("SELECT count(*)::int8 FROM rule_notices").first?.get(0) ?? -1
  }

  func states() async throws -> Int {
    try await client.query("SELECT count(*)::int8 FROM rule_states").first?.get(0) ?? -1
  }
}
