import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization
import TestSupport
import Testing

@testable import Postgres
@testable import Router

/// What takes too long is tried with less at once.
@Suite struct HeldClaimSizeTests {
  private struct Poison: Error {}

  @Test func `a timeout halves the next claim, down to ten rows, and then it grows slowly`() {
    var size = HeldClaimSize()
    var limits = (0..<8).map { _ in
      defer { size.failed(PostgresError(.timeout)) }
      return size.limit
    }
    #expect(limits == [250, 125, 62, 31, 15, 10, 10, 10])
    limits = (0..<3).map { _ in
      size.passed()
      return size.limit
    }
    #expect(limits == [22, 34, 46])
    for _ in 0..<100 { size.passed() }
    #expect(size.limit == HeldClaimSize.most)
  }

  @Test func `other failures have nothing to do with the size`() {
    var size = HeldClaimSize()
    for error in [PostgresError(.connectionLost), Poison()] as [any Error] { size.failed(error) }
    #expect(size.limit == HeldClaimSize.most)
  }

  /// A store that is asked with how many rows, does not answer in time while these are many, and loses answers.
  private struct ImpairedStore: HeldStoring {
    let inner: InMemoryStores.Connection
    var limits = Mutexed()
    /// Rows that are too many.
    var most = Int.max
    /// Fails after what was asked for is stored.
    var settled: @Sendable () throws -> Void = {}

    final class Mutexed: Sendable {
      let all = Mutex<[Int]>([])
    }

    func claim(types: [Int], limit: Int, now: Date, until: Date) async throws -> HeldClaim {
      limits.all.withLock { $0.append(limit) }
      if limit > most { throw PostgresError(.timeout) }
      return try await inner.claim(types: types, limit: limit, now: now, until: until)
    }

    func contents(of notifications: [(user: UserID, id: NotificationID)]) async throws -> [NotificationID: HeldContent]
    {
      try await inner.contents(of: notifications)
    }

    func reread(_ claim: HeldClaim) async throws -> HeldClaim { try await inner.reread(claim) }

    func settle(_ settlement: HeldSettlement, of claim: HeldClaim) async throws -> HeldSettlement.Result {
      let result = try await inner.settle(settlement, of: claim)
      try settled()
      return result
    }

    func finish(_ claim: HeldClaim) async throws { try await inner.finish(claim) }

    func unknownTypes(knowing types: [Int], now: Date) async throws -> Set<Int> {
      try await inner.unknownTypes(knowing: types, now: now)
    }

    func putOff(knowing types: [Int], now: Date) async throws -> Set<Int> {
      try await inner.putOff(knowing: types, now: now)
    }

    func windows(_ keys: Set<HeldStore.WindowKey>, now: Date) async throws -> [HeldStore.WindowKey: DigestWindow] {
      try await inner.windows(keys, now: now)
    }

    func count(_ candidates: [HeldStore.ThrottleCandidate], now: Date) async throws -> [HeldStore.ThrottleAnswer] {
      try await inner.count(candidates, now: now)
    }

    func discount(_ candidates: [HeldStore.ThrottleCandidate]) async throws { try await inner.discount(candidates) }
  }

  @Test(.timeLimit(.minutes(1))) func `the worker asks for less until the database answers in time`() async throws {
    let world = HeldWorld()
    let until = world.clock.now + 3_600
    world.router.stores.change(world.ann) { $0.pausedUntil = until }
    try await world.send(HeldWorld.plain)
    try await world.route()
    world.clock.advance(by: 3_600)
    let limits = ImpairedStore.Mutexed()
    let connection = InMemoryStores.Connection(stores: world.router.stores, life: Lifetime())
    let whole = try world.router.heldWorker(living: Lifetime())
    let worker = HeldWorker(
      store: ImpairedStore(inner: connection, limits: limits, most: 100),
      processor: whole.processor,
      types: whole.types,
      logger: whole.logger,
      clock: whole.clock
    )
    try await withThrowingTaskGroup { group in
      group.addTask { try await worker.run() }
      try await eventually("it is delivered") { try !world.notified().isEmpty }
      group.cancelAll()
      try await group.waitForAll()
    }
    #expect(limits.all.withLock { $0.prefix(3) } == [250, 125, 62])
  }

  @Test(.timeLimit(.minutes(1)), arguments: [PostgresError(.connectionLost), PostgresError(.timeout)])
  func `a settlement whose answer was lost is delivered by the next attempt, compositions too`(_ error: PostgresError)
    async throws
  {
    let world = HeldWorld()
    let until = world.clock.now + 3_600
    world.router.stores.change(world.ann) { $0.pausedUntil = until }
    try await world.send(HeldWorld.plain, 6)
    try await world.route()
    world.clock.advance(by: 3_600)
    let lost = Mutex(0)
    let whole = try world.router.heldWorker(living: Lifetime())
    let store = ImpairedStore(inner: InMemoryStores.Connection(stores: world.router.stores, life: Lifetime())) {
      let isFirst = lost.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { throw error }
    }
    var processor = whole.processor
    processor.store = store
    let worker = HeldWorker(
      store: store,
      processor: processor,
      types: whole.types,
      logger: whole.logger,
      clock: whole.clock
    )
    #expect(try await worker.takeBatch())
    #expect(lost.withLock(\.self) == 2)
    #expect(try world.notified() == ["6 notifications: Plain 1, Plain 2, Plain 3 and 3 more"])
    #expect(world.router.stores.held.isEmpty)
  }

  @Test(.timeLimit(.minutes(1))) func `a batch that cannot be sent in time is sent in parts`() async throws {
    let world = HeldWorld()
    let people = (0..<6).map { _ in UserID(UUID()) }
    let until = world.clock.now + 3_600
    for user in people { world.router.stores.change(user) { $0.pausedUntil = until } }
    for user in people {
      try await world.router.publish(
        #"{"to":{"users":["\#(user)"]},"type":304,"data":{"n":"x"}}"#,
        id: RequestID(now: world.clock.now).description,
        type: IngestKind.request.messageType
      )
    }
    try await world.route()
    let largest = Mutex(0)
    world.router.broker.failPublishes { message, exchange, _ in
      guard exchange == Topology.dispatchExchange,
        let dispatch = try? QueueCoder.decode(DispatchMessage.self, from: message)
      else { return nil }
      if dispatch.deliveries.count > 3 { return BrokerError(.timeout, "slow") }
      largest.withLock { $0 = max($0, dispatch.deliveries.count) }
      return nil
    }
    try await world.wait(3_600)
    #expect(Set(try world.router.dispatches(.push).flatMap(\.deliveries).map(\.userId)) == Set(people))
    #expect(world.router.stores.held.isEmpty)
    #expect(largest.withLock(\.self) == 3)
  }
}
