import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization
import TestSupport
import Testing

@testable import Dispatching

/// Permits that two workers have together: transactional mails and bulk mails over the same connections.
@Suite(.timeLimit(.minutes(1))) struct SharedPermitsTests {
  private let scope = ProviderScope("mail")

  private struct NotAdmitted: Error {}

  /// Calls under way: now, and at most at a time.
  private final class Load: Sendable {
    let calls = Mutex((now: 0, most: 0))
  }

  private func ticket(_ control: ProviderControl) async throws -> ProviderControl.Ticket {
    guard case .admitted(let ticket) = await control.admit(scope, isRetry: false, atHead: true) else {
      throw NotAdmitted()
    }
    return ticket
  }

  @Test func `what waits in a lower rank is kept a permit, and a higher rank keeps one`() {
    let shared = SharedPermits(count: 2, ranks: 2)
    let (first, second) = (shared.member(0), shared.member(1))
    #expect(second.take())
    first.startWaiting()
    #expect(second.isExhausted && !second.take())
    #expect(!first.isExhausted && first.take())
    first.stopWaiting()
    #expect(first.isExhausted && !first.take())
    second.giveBack()
    first.startWaiting()
    // Else bulk mails would stand still for as long as there are others.
    #expect(!second.isExhausted && second.take())
    first.stopWaiting()
    second.giveBack()
    first.giveBack()
    #expect(second.take() && second.take() && !second.take())
  }

  @Test func `each takes no more than its own, and both no more than there are`() async throws {
    let shared = SharedPermits(count: 4, ranks: 2)
    let first = ProviderControl(concurrency: 4, shared: shared.member(0))
    let second = ProviderControl(concurrency: 2, shared: shared.member(1))
    var bulk = [try await ticket(second), try await ticket(second)]
    let before = second.steps
    async let third = ticket(second)
    try await eventually("the third of bulk waits") { second.steps == before + 1 }
    _ = try await ticket(first)
    let other = try await ticket(first)
    let steps = first.steps
    async let last = ticket(first)
    try await eventually("all are in use") { first.steps == steps + 1 }
    // One that comes back from bulk is for the mail that waits.
    second.end(bulk.removeLast(), .delivered(providerID: "p"))
    _ = try await last
    #expect(shared.member(1).isExhausted)
    first.end(other, .delivered(providerID: "p"))
    _ = try await third
    #expect(shared.member(0).isExhausted)
  }

  @Test func `a call that was not made gives its permit to the other`() async throws {
    let shared = SharedPermits(count: 1, ranks: 2)
    let first = ProviderControl(concurrency: 1, shared: shared.member(0))
    let second = ProviderControl(concurrency: 1, shared: shared.member(1))
    let bulk = try await ticket(second)
    async let mail = ticket(first)
    second.cancel(bulk)
    first.end(try await mail, .delivered(providerID: "p"))
    _ = try await ticket(second)
  }

  @Test func `a call that waits long leaves its permit to the other, and gives none back`() async throws {
    let shared = SharedPermits(count: 1, ranks: 2)
    let first = ProviderControl(concurrency: 1, shared: shared.member(0))
    let second = ProviderControl(concurrency: 1, shared: shared.member(1))
    let bulk = try await ticket(second)
    async let mail = ticket(first)
    #expect(second.leave(bulk, after: ScopePermits.patience))
    let taken = try await mail
    second.end(bulk, .delivered(providerID: "p"))
    #expect(shared.member(1).isExhausted)
    first.end(taken, .delivered(providerID: "p"))
    #expect(!shared.member(1).isExhausted)
  }

  @Test func `whatever comes and goes, no permit is lost and nobody waits for ever`() async throws {
    let shared = SharedPermits(count: 6, ranks: 2)
    let controls = [
      ProviderControl(concurrency: 6, shared: shared.member(0)),
      ProviderControl(concurrency: 3, shared: shared.member(1)),
    ]
    let load = Load()
    await withDiscardingTaskGroup { group in
      for number in 0..<600 {
        group.addTask { [scope] in
          let control = controls[number % 3 == 0 ? 0 : 1]
          guard case .admitted(let ticket) = await control.admit(scope, isRetry: false, atHead: true) else { return }
          load.calls.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
          for _ in 0..<(number % 4 == 0 ? 50 : 1) { await Task.yield() }
          load.calls.withLock { $0.now -= 1 }
          if number % 5 == 0 { control.cancel(ticket) } else { control.end(ticket, .delivered(providerID: "p")) }
        }
      }
    }
    #expect(load.calls.withLock(\.most) <= 6)
    for _ in 0..<6 { _ = try await ticket(controls[0]) }
    #expect(shared.member(1).isExhausted)
  }

  // MARK: Two workers

  private func names(_ range: Range<Int>) -> [String] { range.map { "m\($0)" } }

  @Test func `a backlog of bulk mails that nobody takes holds up no other, and goes on when they are taken`()
    async throws
  {
    let (mails, bulk) = (DispatchBench(), DispatchBench(.emailBulk))
    let shared = SharedPermits(count: 4, ranks: 2)
    let gate = Gate()
    let transactional = ScriptedChannel(concurrency: 4) { _, _ in .delivered(providerID: "t") }
    let backlog = ScriptedChannel(queue: .emailBulk, concurrency: 2) { _, _ in
      await gate.wait()
      return .delivered(providerID: "b")
    }
    for number in 0..<20 { try await bulk.send(try DispatchBench.message(names(number * 20..<(number + 1) * 20))) }
    for number in 0..<40 { try await mails.send(try DispatchBench.message(names(number..<number + 1))) }
    let workers = [
      mails.worker(transactional, shared: shared.member(0)), bulk.worker(backlog, shared: shared.member(1)),
    ]
    try await withThrowingTaskGroup { group in
      for worker in workers { group.addTask { try await worker.run() } }
      try await eventually("all transactional mails are recorded") { mails.outcomes.records.count == 40 }
      try await eventually("bulk mails have their part") { backlog.tries == 2 }
      #expect(bulk.outcomes.records.isEmpty)
      gate.open()
      try await group.waitForAll()
    }
    #expect(backlog.accepted.count == 400 && backlog.accepted.values.allSatisfy { $0 == 1 })
    #expect(bulk.outcomes.records.values.allSatisfy { $0.outcome == .delivered && $0.channel == .email })
    #expect(transactional.tries == 40)
  }

  @Test func `bulk mails wait on their own ladder and die in their own queue`() async throws {
    let bulk = DispatchBench(.emailBulk)
    let channel = ScriptedChannel(queue: .emailBulk, maximumAttempts: 3) { _, _ in
      .retry(reason: "451", first: .seconds(1))
    }
    try await bulk.send(try DispatchBench.message(["a"]))
    try await bulk.drain(channel)
    #expect(channel.tries == 3)
    #expect(bulk.deadQueue == "belfry.email.bulk.parked")
    #expect(try bulk.deadLettered().flatMap(\.deliveries).flatMap(\.targets).map(\.id) == ["a"])
  }
}
