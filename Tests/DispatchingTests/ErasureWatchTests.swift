import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceLifecycle
import TestSupport
import Testing

@testable import Dispatching
@testable import Postgres

@Suite(.timeLimit(.minutes(2))) struct ErasureWatchTests {
  private struct Away: Error {}

  private let source = InMemoryErasures()
  private let user = UserID(UUID())
  /// Whole seconds.
  private let now = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down))

  /// - Parameter lifetime: Zero looks before each answer.
  private func watch(lifetime: Duration = .zero) -> ErasureWatch {
    ErasureWatch(source: source, lifetime: lifetime, logger: .quiet)
  }

  @Test func `what is dated up to the erasure is dropped, and what is later is not`() async throws {
    let watch = watch()
    #expect(try await !watch.isErased(user, at: now))
    source.erase(user, at: now)
    #expect(try await watch.isErased(user, at: now))
    #expect(try await watch.isErased(user, at: now - 86_400))
    #expect(try await !watch.isErased(user, at: now + 1))
    #expect(try await !watch.isErased(UserID(UUID()), at: now))
    source.erase(user, at: now + 10)
    #expect(try await watch.isErased(user, at: now + 1))
  }

  @Test func `nobody asks again as long as the last look is young`() async throws {
    let watch = watch(lifetime: .seconds(3_600))
    #expect(watch.known(user, at: now) == nil)
    #expect(try await !watch.isErased(user, at: now))
    for _ in 0..<100 { #expect(try await !watch.isErased(user, at: now)) }
    #expect(watch.known(user, at: now) == false)
    #expect(source.looks == [nil])
  }

  @Test func `each look reaches back before the last one, whatever a mark is dated`() async throws {
    let watch = watch()
    source.setTime(now)
    // By a gateway of an earlier version whose clock is an hour ahead.
    source.erase(user, at: now + 3_600)
    #expect(try await watch.isErased(user, at: now))
    source.setTime(now + 1)
    // Its time was taken before that look, and it was committed after it.
    let late = UserID(UUID())
    source.erase(late, at: now - 20)
    #expect(try await watch.isErased(late, at: now - 20))
    #expect(source.looks == [nil, now - 60])
    let next = UserID(UUID())
    source.erase(next, at: now + 2)
    #expect(try await watch.isErased(next, at: now + 1))
    #expect(source.looks == [nil, now - 60, now - 59])
  }

  @Test func `while the database is away the last known set counts, and before the first look nobody is answered`()
    async throws
  {
    let watch = watch()
    source.fail(Away())
    await #expect(throws: Away.self) { try await watch.isErased(user, at: now) }
    source.fail(nil)
    source.erase(user, at: now)
    #expect(try await watch.isErased(user, at: now))
    source.fail(Away())
    #expect(try await watch.isErased(user, at: now))
    #expect(source.looks.count == 3)
  }

  // MARK: What the worker makes of it

  @Test func `what is for an erased user is dropped without an outcome, and the rest is delivered`() async throws {
    let bench = DispatchBench(ladderLeadsBack: false)
    let message = try DispatchBench.message(["ann", "ben", "cia"])
    try await bench.send(message)
    bench.erasures.erase(message.deliveries[1].userId, at: .now + 1)
    let channel = ScriptedChannel { target, _ in .delivered(providerID: target) }
    try await bench.worker(channel).run()
    #expect(channel.accepted.keys.map(\.target).sorted() == ["ann", "cia"])
    #expect(bench.outcomes.records.keys.map(\.target).sorted() == ["ann", "cia"])
    #expect(bench.broker.messages(in: "ladder").isEmpty)
    #expect(try bench.deadLettered().isEmpty)
    #expect(bench.broker.steps.last == .acknowledged(1))
  }

  @Test func `what waits on the ladder for a user who is erased meanwhile is dropped when it comes back`() async throws
  {
    let bench = DispatchBench()
    let message = try DispatchBench.message(["ann"])
    try await bench.send(message)
    let channel = ScriptedChannel { _, number in
      // Between the first attempt and the second.
      if number == 1 { bench.erasures.erase(message.deliveries[0].userId, at: .now + 1) }
      return number == 1 ? .retry(reason: "451", first: .seconds(1)) : .delivered(providerID: nil)
    }
    try await bench.drain(channel)
    #expect(channel.tries == 1)
    #expect(bench.outcomes.records.isEmpty)
    #expect(try bench.deadLettered().isEmpty)
  }

  @Test func `what somebody's erasure has to do with is begun only when it is known who was erased`() async throws {
    let bench = DispatchBench()
    let message = try DispatchBench.message(["ann", "ben"])
    try await bench.send(message)
    bench.erasures.erase(message.deliveries[0].userId, at: .now + 1)
    bench.erasures.fail(PostgresError(.connectionLost, "away"))
    let channel = ScriptedChannel { target, _ in .delivered(providerID: target) }
    async let run: Void = bench.worker(channel).run()
    try await eventually("it has looked") { !bench.erasures.looks.isEmpty }
    #expect(channel.tries == 0)
    bench.erasures.fail(nil)
    try await run
    #expect(channel.accepted.keys.map(\.target) == ["ben"])
  }
}
