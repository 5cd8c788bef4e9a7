import TestSupport
import Testing

@testable import Dispatching

@Suite(.timeLimit(.minutes(1))) struct ProviderControlTests {
  private let fast = ProviderScope("push:fast.example")
  private let slow = ProviderScope("push:slow.example")

  private func ticket(_ control: ProviderControl, _ scope: ProviderScope) async throws -> ProviderControl.Ticket {
    guard case .admitted(let ticket) = await control.admit(scope, isRetry: false, atHead: true) else {
      throw NotAdmitted()
    }
    return ticket
  }

  /// All permits are there: a scope that has more than half of all calls gets them.
  private func expectAllPermits(_ count: Int, of control: ProviderControl) async throws {
    for _ in 0..<1_000 { control.end(try await ticket(control, fast), .delivered(providerID: "p")) }
    for _ in 0..<count { _ = try await ticket(control, fast) }
  }

  private struct NotAdmitted: Error {}

  @Test func `a scope that is alone has all permits`() async throws {
    let control = ProviderControl(concurrency: 40)
    for _ in 0..<40 { _ = try await ticket(control, slow) }
  }

  @Test func `a scope that keeps its permits gets a quarter of them, and the others the rest`() async throws {
    let control = ProviderControl(concurrency: 40)
    var kept = 0
    var isSetAside = false
    for _ in 0..<200 {
      for _ in 0..<9 { control.end(try await ticket(control, fast), .delivered(providerID: "p")) }
      switch await control.admit(slow, isRetry: false, atHead: true) {
      case .admitted: kept += 1
      case .setAside: isSetAside = true
      case .notYet, .postponed: Issue.record("nothing is to be waited for")
      }
    }
    #expect(kept == 10 && isSetAside)
    // And all of the rest is there.
    for _ in 0..<30 { _ = try await ticket(control, fast) }
  }

  @Test func `of two with half of the calls each, a silent one leaves the other its permits`() async throws {
    let control = ProviderControl(concurrency: 40)
    var kept = 0
    for _ in 0..<200 {
      if case .admitted = await control.admit(slow, isRetry: false, atHead: true) { kept += 1 }
      control.end(try await ticket(control, fast), .delivered(providerID: "p"))
    }
    // A pause of this process may look like a slow call.
    #expect((10...15).contains(kept))
  }

  @Test func `no more scopes are kept than are allowed, and none that is in use is forgotten`() async throws {
    let control = ProviderControl(concurrency: 40, maximumScopes: 16)
    let used = try await ticket(control, slow)
    for number in 0..<1_000 {
      let scope = ProviderScope("push:\(number).example")
      control.end(try await ticket(control, scope), .delivered(providerID: "p"))
      #expect(control.scopeCount <= 16)
    }
    control.end(used, .delivered(providerID: "p"))
    try await expectAllPermits(40, of: control)
  }

  @Test func `who waits for a permit gets the one that comes back`() async throws {
    let control = ProviderControl(concurrency: 1)
    let first = try await ticket(control, fast)
    async let second = ticket(control, fast)
    control.cancel(first)
    control.end(try await second, .delivered(providerID: "p"))
    _ = try await ticket(control, slow)
  }

  @Test func `before any call has ended no scope is slow`() async throws {
    let control = ProviderControl(concurrency: 40)
    var kept: [ProviderControl.Ticket] = []
    for _ in 0..<20 { kept.append(try await ticket(control, fast)) }
    for _ in 0..<15 { kept.append(try await ticket(control, slow)) }
    for ticket in kept { control.end(ticket, .delivered(providerID: "p")) }
    try await expectAllPermits(40, of: control)
  }

  @Test func `it is told once that a scope's breaker opens`() async throws {
    let control = ProviderControl(concurrency: 1, settings: ControlSettings())
    let trouble = DeliveryResult.retry(reason: "503", first: .seconds(10), isProviderTrouble: true)
    for _ in 0..<99 { #expect(control.end(try await ticket(control, slow), trouble) == .none) }
    #expect(control.end(try await ticket(control, slow), trouble) == .opened)
    #expect(control.end(try await ticket(control, fast), trouble) == .none)
    guard case .postponed(let postponement) = await control.admit(slow, isRetry: false, atHead: true) else {
      Issue.record("it is tried on")
      return
    }
    #expect(postponement.reason == .breaker)
  }

  @Test func `it is told once that a pause begins, however many calls were in flight`() async throws {
    let control = ProviderControl(concurrency: 3, settings: ControlSettings())
    var tickets: [ProviderControl.Ticket] = []
    for _ in 0..<3 { tickets.append(try await ticket(control, slow)) }
    let throttled = DeliveryResult.throttled(reason: "429", until: .seconds(60))
    #expect(tickets.map { control.end($0, throttled) } == [.paused(.seconds(60)), .none, .none])
  }

  @Test func `targets that wait for a slow scope look once for each permit that comes back, and get theirs`()
    async throws
  {
    let control = ProviderControl(concurrency: 40)
    // Alone it has three times what a slow scope keeps.
    var kept: [ProviderControl.Ticket] = []
    for _ in 0..<30 { kept.append(try await ticket(control, slow)) }
    for _ in 0..<1_000 { control.end(try await ticket(control, fast), .delivered(providerID: "p")) }
    try await withThrowingTaskGroup { group in
      let before = control.steps
      for _ in 0..<2 {
        group.addTask {
          guard case .admitted(let ticket) = await control.admit(slow, isRetry: false, atHead: false) else {
            throw NotAdmitted()
          }
          control.end(ticket, .delivered(providerID: "p"))
        }
      }
      try await eventually("both wait") { control.steps == before + 2 }
      for ticket in kept.dropLast(15) {
        control.end(ticket, .delivered(providerID: "p"))
        for _ in 0..<200 { await Task.yield() }
      }
      // The scope has fifteen still, which is more than it keeps: none is for those who wait.
      #expect(control.steps - before <= 2 + 15)
      for ticket in kept.suffix(15) { control.end(ticket, .delivered(providerID: "p")) }
      try await group.waitForAll()
    }
    try await expectAllPermits(40, of: control)
  }

  @Test
  func `nobody waits for a scope whose call has left its permit, so that the line of a silent one holds no message`()
    async throws
  {
    let control = ProviderControl(concurrency: 4)
    let silent = try await ticket(control, slow)
    for _ in 0..<1_000 { control.end(try await ticket(control, fast), .delivered(providerID: "p")) }
    let before = control.steps
    async let waiting = control.admit(slow, isRetry: false, atHead: false)
    try await eventually("it waits for the scope") { control.steps == before + 1 }
    #expect(control.leave(silent, after: ScopePermits.patience))
    for admission in [await waiting, await control.admit(slow, isRetry: false, atHead: false)] {
      guard case .postponed(let postponement) = admission else {
        Issue.record("\(admission)")
        continue
      }
      #expect(postponement.reason == .busy)
    }
    control.end(silent, .delivered(providerID: "p"))
    #expect(try await ticket(control, slow).scope == slow)
  }

  @Test func `whatever comes and goes, no permit is lost and nobody waits for ever`() async throws {
    let control = ProviderControl(concurrency: 8, settings: ControlSettings())
    let scopes = (0..<4).map { ProviderScope("push:\($0).example") }
    await withDiscardingTaskGroup { group in
      for number in 0..<400 {
        group.addTask {
          let admission = await control.admit(scopes[number % 7 % 4], isRetry: false, atHead: number % 3 == 0)
          guard case .admitted(let ticket) = admission else { return }
          for _ in 0..<(number % 4 == 0 ? 50 : 1) { await Task.yield() }
          if number % 5 == 0 { control.cancel(ticket) } else { control.end(ticket, .delivered(providerID: "p")) }
        }
      }
    }
    try await expectAllPermits(8, of: control)
  }
}
