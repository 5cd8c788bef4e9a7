import Broker
import Dispatching
import NotificationQueue
import TestSupport
import Testing

/// Whatever is published to a dispatch queue, it blocks nothing and ends no process.
@Suite(.timeLimit(.minutes(2))) struct DispatchFuzzTests {
  @Test func `any message is worked on or dead-lettered`() async throws {
    let bench = DispatchBench(ladderLeadsBack: false)
    let messages = Array(try HostileMessages.dispatches())
    for message in messages {
      try await bench.broker.publish(message, exchange: Topology.dispatchExchange, routingKey: bench.queue)
    }
    let channel = ScriptedChannel(concurrency: 16, maximumAttempts: .max) { target, number in
      // Nothing final, or all further messages about the same target would be left out.
      switch (target.utf8.count + number) % 2 {
      case 0: .retry(reason: "451", first: .seconds(10), after: .seconds(Int64.max))
      default: .postponed(reason: "busy", after: .seconds(-1))
      }
    }
    try await bench.worker(channel).run()
    #expect(bench.broker.messages(in: bench.queue).isEmpty)
    #expect(bench.broker.heldCount(of: bench.queue) == 0)
    #expect(channel.tries > 100)
    #expect((100..<messages.count).contains(bench.broker.messages(in: bench.deadQueue).count))
  }
}
