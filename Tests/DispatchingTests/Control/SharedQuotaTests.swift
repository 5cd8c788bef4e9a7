import Broker
import NotificationQueue
import TestSupport
import Testing

@testable import Dispatching

/// Processes that share a provider's quota by the consumers that RabbitMQ counts.
@Suite(.sharedBroker, .serialized, .timeLimit(.minutes(2))) struct SharedQuotaTests {
  @Test func `a newcomer counts within ten seconds`() {
    #expect(DispatchTiming().shareInterval == .seconds(10))
  }

  @Test func `three share the quota, and when one is killed the others have it`() async throws {
    let broker = try TestBroker.require()
    let configuration = try broker.configuration()
    let queue = "shared-quota"
    var topology = BrokerTopology.none
    topology.queues = [.init(name: queue, durable: true)]
    let admin = BrokerAdmin(configuration: configuration, logger: .quiet)
    try await admin.declare(topology)
    let bench = DispatchBench()
    var timing = DispatchTiming()
    timing.shareInterval = .milliseconds(50)
    let settings = ControlSettings(quotaPerMinute: 600)
    let workers = (0..<3).map { [timing] _ in
      DispatchWorker(
        channel: ScriptedChannel(control: settings) { target, _ in .delivered(providerID: target) },
        consumer: BrokerConsumer(
          configuration: configuration,
          queue: queue,
          prefetch: 1,
          maximumBatch: 1,
          logger: .quiet
        ),
        publisher: bench.broker,
        store: bench.outcomes,
        erasures: ErasureWatch(source: bench.erasures, logger: .quiet),
        ladder: RetryLadder(),
        timing: timing,
        consumerCount: { try await admin.status(of: queue).consumers },
        logger: .quiet
      )
    }
    func shares(_ workers: some Sequence<DispatchWorker>) -> [Int] { workers.map(\.limit.control.consumers) }
    try await withThrowingTaskGroup { all in
      all.addTask { try await workers[1].run() }
      all.addTask { try await workers[2].run() }
      try await withThrowingTaskGroup { one in
        one.addTask { try await workers[0].run() }
        try await eventually("each knows of three") { shares(workers) == [3, 3, 3] }
        one.cancelAll()
      }
      try await eventually("the others know that they are two") { shares(workers.dropFirst()) == [2, 2] }
      all.cancelAll()
    }
    // Together they have all of it, no more.
    for count in 1...5 {
      let rate = try #require(settings.rate(consumers: count))
      #expect(abs(rate * Double(count) * 60 - 600) < 0.001)
    }
    try await admin.delete(queue)
  }
}
