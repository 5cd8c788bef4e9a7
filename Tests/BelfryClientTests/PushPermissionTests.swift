import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct PushPermissionTests {
  private let clock = TestClock()
  private let store = MemoryPushStore()
  private let reports = Locked<[DevicePermission]>([])

  private func permission(_ system: FakeSystem) -> PushPermission {
    let reports = reports
    return PushPermission(system, store: store, clock: clock) { answer in reports.withLock { $0.append(answer) } }
  }

  @Test func `the system asks only after the app's own words`() async throws {
    let system = FakeSystem()
    let permission = permission(system)
    #expect(try await permission.current().canPrime)
    let error = await #expect(throws: BelfryError.self) { try await permission.ask() }
    #expect(error?.code == .invalid)
    #expect(await system.questions == 0)
    try await permission.prime()
    #expect(try await permission.ask() == .granted)
    #expect(await system.questions == 1)
    #expect(reports.withLock { $0 } == [.requested, .granted])
  }

  @Test func `when it was and what was answered is kept`() async throws {
    let first = permission(FakeSystem(answer: .denied))
    let start = clock.now
    try await first.prime()
    clock.jump(by: .seconds(5))
    #expect(try await first.ask() == .denied)
    // The app is started anew.
    let system = FakeSystem()
    await system.set(.denied)
    let record = try await permission(system).current()
    #expect(record.state == .denied)
    #expect(record.primedAt == start)
    #expect(record.askedAt == start.addingTimeInterval(5))
    #expect(record.answeredAt == start.addingTimeInterval(5))
    #expect(record.canPrime == false)
    #expect(reports.withLock { $0 } == [.requested, .denied])
  }

  @Test func `who says not now is not asked by the system, and can be asked later`() async throws {
    let system = FakeSystem()
    let permission = permission(system)
    for count in 1...2 {
      try await permission.prime()
      try await permission.postpone()
      let record = try await permission.current()
      #expect(record.state == .notAsked)
      #expect(record.postponements == count)
      #expect(record.postponedAt == clock.now)
      #expect(record.canPrime)
    }
    #expect(await system.questions == 0)
    #expect(reports.withLock { $0 }.isEmpty)
  }

  @Test func `quiet notifications need no question, and can become loud ones`() async throws {
    let system = FakeSystem()
    let permission = permission(system)
    #expect(try await permission.askQuietly() == .provisional)
    #expect(reports.withLock { $0 }.isEmpty)
    try await permission.prime()
    #expect(try await permission.current().state == .primed)
    try await permission.postpone()
    #expect(try await permission.current().state == .provisional)
    try await permission.prime()
    #expect(try await permission.ask() == .granted)
  }

  @Test func `what the user changes in Settings is seen, and not reported as an answer`() async throws {
    let system = FakeSystem()
    let permission = permission(system)
    try await permission.prime()
    try await permission.ask()
    clock.jump(by: .seconds(60))
    await system.set(.denied)
    let record = try await permission.current()
    #expect(record.state == .denied)
    #expect(record.answeredAt == clock.now)
    #expect(reports.withLock { $0 } == [.requested, .granted])
  }

  @Test func `a question that was never answered can be asked again`() async throws {
    let system = FakeSystem()
    await system.fail()
    let permission = permission(system)
    try await permission.prime()
    await #expect(throws: BelfryError(.unavailable)) { try await permission.ask() }
    #expect(try await permission.current().state == .notAsked)
  }

  @Test func `an app that was ended at the question starts over`() throws {
    var record = PermissionRecord()
    for event in [PermissionRecord.Event.primed, .asked] { _ = record.take(event, now: clock.now) }
    let kept = try JSONEncoder().encode(record)
    var next = try JSONDecoder().decode(PermissionRecord.self, from: kept)
    #expect(next.state == .asked)
    _ = next.take(.system(.notDetermined), now: clock.now)
    #expect(next.state == .notAsked)
  }

  @Test(arguments: [
    ([PermissionRecord.Event](), PermissionRecord.Event.asked), ([], .postponed), ([.primed, .asked], .primed),
    ([.primed, .asked], .asked), ([.primed], .askedQuietly), ([.system(.authorized)], .primed),
    ([.system(.denied)], .primed), ([.system(.denied)], .askedQuietly), ([.system(.provisional)], .askedQuietly),
  ])
  func `what does not follow changes nothing`(before: [PermissionRecord.Event], event: PermissionRecord.Event) {
    var record = PermissionRecord()
    for event in before {
      let isTaken = record.take(event, now: clock.now)
      #expect(isTaken)
    }
    let kept = record
    let isTaken = record.take(event, now: clock.now)
    #expect(isTaken == false)
    #expect(record == kept)
  }
}
