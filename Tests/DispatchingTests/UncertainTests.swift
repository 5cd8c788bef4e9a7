import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import Dispatching

/// What the provider has in full and has not answered when the service stops.
@Suite(.timeLimit(.minutes(2))) struct UncertainTests {
  /// Runs a worker, and stops it when the provider has been asked.
  private func runAndStop(_ bench: DispatchBench, _ channel: ScriptedChannel, tries: Int) async throws {
    let worker = bench.worker(channel, waits: true, answersUntil: .milliseconds(1))
    let group = ServiceGroup(services: [worker], gracefulShutdownSignals: [], logger: .quiet)
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { try await group.run() }
      try await eventually("the provider is asked") { channel.tries == tries }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }

  private func silent() -> ScriptedChannel {
    let gate = Mutex<Gate?>(nil)
    let channel = ScriptedChannel { _, _ in
      await gate.withLock(\.self)?.wait()
      return .uncertain(reason: "no answer to the final dot")
    }
    gate.withLock { $0 = channel.givenUp }
    return channel
  }

  @Test func `a mail without an answer at the stop is uncertain, and delivered once more by the next process`()
    async throws
  {
    let bench = DispatchBench(ladderLeadsBack: true)
    try await bench.send(try DispatchBench.message(["ann"]))
    try await runAndStop(bench, silent(), tries: 1)
    #expect(bench.outcomes.records.values.map(\.outcome) == [.uncertain])
    let waiting: DispatchMessage = try QueueCoder.decode(
      from: try #require(bench.broker.messages(in: bench.queue).first)
    )
    #expect(waiting.attempt == 1 && waiting.recheck)
    let next = ScriptedChannel { target, _ in .delivered(providerID: target) }
    try await bench.drain(next)
    #expect(next.tries == 1)
    #expect(bench.outcomes.records.values.map(\.outcome) == [.delivered])
  }

  @Test func `one that is recorded twice for one try is tried once more`() async throws {
    let bench = DispatchBench(ladderLeadsBack: true)
    let writing = Gate()
    bench.outcomes.failRecording { _ in
      await writing.wait()
      return nil
    }
    try await bench.send(try DispatchBench.message(["ann"]))
    let channel = silent()
    let worker = bench.worker(channel, waits: true, answersUntil: .milliseconds(1))
    let group = ServiceGroup(services: [worker], gracefulShutdownSignals: [], logger: .quiet)
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { try await group.run() }
      try await eventually("the provider is asked") { channel.tries == 1 }
      await group.triggerGracefulShutdown()
      try await eventually("it is written, and to be written again") { await worker.outcomes.waitingCount > 0 }
      writing.open()
      try await tasks.waitForAll()
    }
    #expect(bench.outcomes.statements.map { $0.map(\.outcome) } == [[.uncertain], [.uncertain]])
    let next = ScriptedChannel { target, _ in .delivered(providerID: target) }
    try await bench.drain(next)
    #expect(next.tries == 1)
    #expect(bench.outcomes.records.values.map(\.outcome) == [.delivered])
  }

  @Test func `one that is uncertain twice is not tried a third time`() async throws {
    let bench = DispatchBench(ladderLeadsBack: true)
    try await bench.send(try DispatchBench.message(["ann"]))
    try await runAndStop(bench, silent(), tries: 1)
    try await runAndStop(bench, silent(), tries: 1)
    let third = ScriptedChannel { target, _ in .delivered(providerID: target) }
    try await bench.drain(third)
    #expect(third.tries == 0)
    #expect(bench.outcomes.records.values.map(\.outcome) == [.uncertain])
  }

  @Test func `one that is not wanted any more when it would be repeated stays uncertain, for it may have arrived`()
    async throws
  {
    let bench = DispatchBench(ladderLeadsBack: true)
    try await bench.send(try DispatchBench.message(["ann"]))
    try await runAndStop(bench, silent(), tries: 1)
    let next = ScriptedChannel(decisionStands: .seconds(60)) { target, _ in .delivered(providerID: target) }
    next.object(to: "ann", .preferenceOff)
    try await bench.drain(next)
    #expect(next.tries == 0 && next.asked == [["ann"]])
    #expect(bench.outcomes.statements.last?.map(\.outcome) == [.rejected])
    #expect(bench.outcomes.records.values.map(\.outcome) == [.uncertain])
  }

  @Test func `a mail that is answered before the end of patience is delivered`() async throws {
    let bench = DispatchBench(ladderLeadsBack: true)
    try await bench.send(try DispatchBench.message(["ann"]))
    let stopping = Gate()
    let channel = ScriptedChannel { target, _ in
      await stopping.wait()
      return .delivered(providerID: target)
    }
    let worker = bench.worker(channel, waits: true, answersUntil: .seconds(60))
    let group = ServiceGroup(services: [worker], gracefulShutdownSignals: [], logger: .quiet)
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { try await group.run() }
      try await eventually("the provider is asked") { channel.tries == 1 }
      await group.triggerGracefulShutdown()
      stopping.open()
      try await tasks.waitForAll()
    }
    #expect(bench.outcomes.records.values.map(\.outcome) == [.delivered])
    #expect(bench.broker.messages(in: bench.queue).isEmpty)
  }
}
