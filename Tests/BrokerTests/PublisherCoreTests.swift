import Dispatch
import DriverExecutor
import Synchronization
import TestSupport
import Testing

@testable import Broker

/// What callers leave for the connection's queue, without a broker.
@Suite(.timeLimit(.minutes(1))) struct PublisherCoreTests {
  private func core(maximumUnconfirmed: Int = 10) throws -> PublisherCore {
    var configuration = try BrokerConfiguration(url: "amqp://127.0.0.1:1/")
    configuration.availabilityTimeout = .seconds(3_600)
    return PublisherCore(configuration: configuration, maximumUnconfirmed: maximumUnconfirmed, logger: .quiet)
  }

  private func publish(_ core: PublisherCore, id: UInt64 = 1) async -> BrokerError.Code? {
    await core.publish(BrokerMessage(body: [1]), exchange: "", routingKey: "q", mandatory: true, id: id)?.code
  }

  @Test func `a publish that is cancelled before the queue has seen it is answered`() async throws {
    let core = try core()
    let gate = DispatchSemaphore(value: 0)
    core.executor.queue.async { gate.wait() }
    let publishing = Task { await publish(core) }
    try await eventually("it has arrived") { !core.arrivals.withLock(\.isEmpty) }
    publishing.cancel()
    gate.signal()
    #expect(await publishing.value == .cancelled)
    #expect(await core.pending.isEmpty)
  }

  @Test func `as many may wait as there is room for, however many arrive at once`() async throws {
    let core = try core(maximumUnconfirmed: 5)
    let gate = DispatchSemaphore(value: 0)
    core.executor.queue.async { gate.wait() }
    let publishing = (0..<30).map { id in Task { await publish(core, id: UInt64(id)) } }
    try await eventually("all have arrived") { core.arrivals.withLock(\.count) == 30 }
    gate.signal()
    try await eventually("as many wait as there is room for") { await core.pending.count == 20 }
    await core.close()
    var codes: [BrokerError.Code?: Int] = [:]
    for task in publishing { codes[await task.value, default: 0] += 1 }
    #expect(codes == [.overloaded: 10, .closed: 20])
  }

  @Test func `every publish is answered once, whenever it is cancelled and the publisher closed`() async throws {
    for _ in 0..<50 {
      let core = try core()
      let answered = await withTaskGroup(of: BrokerError.Code?.self) { group in
        for id in 0..<100 {
          group.addTask {
            let task = Task { await publish(core, id: UInt64(id)) }
            if id.isMultiple(of: 2) { task.cancel() }
            return await task.value
          }
        }
        group.addTask {
          await core.drain(for: .zero)
          await core.close()
          return nil
        }
        return await group.reduce(into: 0) { if $1 != nil { $0 += 1 } }
      }
      #expect(answered == 100)
    }
  }
}
