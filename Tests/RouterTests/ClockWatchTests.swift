import Foundation
import Logging
import NotificationModel
import NotificationStore
import Postgres
import Retrying
import ServiceRuntime
import TestSupport
import Testing

@testable import Router

/// A router whose clock is wrong sends nothing before its time, and gives nothing up.
@Suite struct ClockWatchTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let log = LogRecorder()

  private func watch(_ clock: TestClock, database: Date = Self.now) -> ClockWatch {
    ClockWatch(clock: { clock.now }, consequence: "waits", logger: log.logger) { database }
  }

  @Test(arguments: [0, 60, -60, 61, -61, 300, -300] as [TimeInterval])
  func `a difference of up to five minutes is borne`(_ seconds: TimeInterval) async throws {
    let watch = watch(TestClock(Self.now + seconds))
    try await watch.check()
    try watch.ensure()
    #expect(watch.problem == nil)
    // From one minute on it is reported.
    #expect(log.all.count == (abs(seconds) > 60 ? 1 : 0))
  }

  @Test(
    arguments: [
      (301, "301 s ahead of the database's"), (-301, "301 s behind the database's"),
      (31_536_000, "31536000 s ahead of the database's"),
    ] as [(TimeInterval, String)]
  )
  func `beyond that it is an error that passes by itself`(_ seconds: TimeInterval, _ words: String) async throws {
    let watch = watch(TestClock(Self.now + seconds))
    let error = await #expect(throws: ClockDisagreement.self) { try await watch.check() }
    #expect(error?.description.hasPrefix("this machine's clock is \(words)") == true, "\(String(describing: error))")
    #expect(error?.willPass == true)
    #expect(throws: ClockDisagreement(seconds: seconds)) { try watch.ensure() }
    #expect(watch.problem == "clock")
  }

  @Test func `each change is reported once, and work goes on when the clock is set`() async throws {
    let clock = TestClock(Self.now + 400)
    let watch = watch(clock)
    for _ in 0..<3 { await #expect(throws: ClockDisagreement.self) { try await watch.check() } }
    clock.advance(by: -300)
    for _ in 0..<3 { try await watch.check() }
    clock.advance(by: -100)
    for _ in 0..<3 { try await watch.check() }
    #expect(log.all.map(\.level) == [.error, .warning, .notice])
    #expect(watch.problem == nil)
  }

  @Test func `an answer that took long is no difference`() async throws {
    let clock = TestClock(Self.now)
    let watch = ClockWatch(clock: { clock.now }, consequence: "waits", logger: log.logger) {
      let time = clock.now + 500
      clock.advance(by: 1_000)
      return time
    }
    try await watch.check()
    #expect(log.all.isEmpty)
  }

  @Test func `the time is the database's, and what was known of it survives an answer that took long`() async throws {
    let (clock, database) = (TestClock(Self.now + 400), TestClock(Self.now))
    let delay = TestClock(Date(timeIntervalSince1970: 0))
    let watch = ClockWatch(clock: { clock.now }, consequence: "waits", logger: log.logger) {
      let time = database.now
      clock.advance(by: delay.now.timeIntervalSince1970)
      return time
    }
    #expect(watch.now == Self.now + 400, "not asked yet")
    await #expect(throws: ClockDisagreement.self) { try await watch.check() }
    #expect(watch.now == Self.now)
    clock.advance(by: 10)
    #expect(watch.now == Self.now + 10)
    // Between 400 and 440 s ahead: it may be those 400 still.
    database.advance(by: 10)
    delay.advance(by: 40)
    await #expect(throws: ClockDisagreement.self) { try await watch.check() }
    #expect(watch.now == Self.now + 50)
    clock.advance(by: -450)
    database.advance(by: -10)
    delay.advance(by: -40)
    try await watch.check()
    #expect(watch.now == Self.now)
  }

  @Test func `nothing that is due is claimed by a clock that is a year ahead`() async throws {
    let world = HeldWorld()
    let until = world.clock.now + 3_600
    world.router.stores.change(world.ann) { $0.pausedUntil = until }
    try await world.send(HeldWorld.plain)
    try await world.route()
    #expect(world.router.stores.waiting.count == 1)
    let start = world.clock.now
    world.clock.advance(by: 31_536_000)
    let watch = ClockWatch(clock: { world.clock.now }, consequence: "waits", logger: log.logger) { start }
    var worker = try world.router.heldWorker(living: Lifetime())
    worker.clock = watch
    await #expect(throws: ClockDisagreement.self) { try await worker.takeBatch() }
    #expect(world.router.stores.waiting.count == 1)
    #expect(try world.notified().isEmpty)
    worker.clock = UncheckedClock { world.clock.now }
    #expect(try await worker.takeBatch(), "it was the clock that kept it")
  }

  @Test func `what arrives meanwhile waits with it`() async throws {
    let now = Date.now
    let clock = TestClock(now + 400)
    let watch = watch(clock, database: now)
    await #expect(throws: ClockDisagreement.self) { try await watch.check() }
    var stopped = TestRouter()
    stopped.watch = watch
    let router = stopped
    let user = UserID(UUID())
    try await router.send(to: [user])
    async let life = router.run()
    try await eventually("it says why it waits") {
      router.log.all.contains { $0.text.contains("clock is 400 s ahead") }
    }
    #expect(router.stores.stored.isEmpty)
    clock.advance(by: -400)
    try await watch.check()
    _ = try await life
    #expect(router.stores.stored == [user: 1])
    #expect(router.deadLettered.isEmpty)
  }

  @Test func `timers, absences and schedules ask before they claim`() async throws {
    try await RuleWorld.with { world in
      let watch = ClockWatch(clock: { world.clock.now }, consequence: "waits", logger: log.logger) { Date.distantPast }
      var timers = try world.timers()
      timers.clock = watch
      await #expect(throws: ClockDisagreement.self) { try await timers.work() }
      var absences = try world.absences()
      absences.clock = watch
      await #expect(throws: ClockDisagreement.self) { try await absences.work() }
    }
  }

  @Test func `the database says what time it is`() async throws {
    try await TestDatabase.with { client in
      let before = Date.now
      let time = try #require(try await DatabaseClock(client: client).now())
      // The same machine's.
      #expect(abs(time.timeIntervalSince(before)) < 60)
    }
  }
}
