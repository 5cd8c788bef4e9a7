import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceFaults
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import Dispatching
@testable import Postgres

@Suite(.timeLimit(.minutes(2))) struct DispatchWorkerTests {
  private func delivered(_ target: String, _ number: Int) -> DeliveryResult { .delivered(providerID: target) }

  private func outcomes(_ bench: DispatchBench) -> [String: DeliveryOutcome] {
    Dictionary(uniqueKeysWithValues: bench.outcomes.records.map { ($0.key.target, $0.value.outcome) })
  }

  @Test func `what is begun in time ends before the broker loses patience, whatever the channel's timeouts`() {
    let timing = DispatchTiming()
    // Both of a mail's timeouts at their largest; RabbitMQ looks once a minute.
    for longest in [Duration.seconds(1), .seconds(30), .seconds(1_200)] {
      let begins = timing.beginsWithin(longest: longest)
      #expect(begins > .zero)
      #expect(begins + longest + .seconds(60) < .seconds(1_800))
    }
  }

  // MARK: What is done with each result

  @Test func `each result has its end, and only then the message is acknowledged`() async throws {
    let bench = DispatchBench(ladderLeadsBack: false)
    try await bench.send(try DispatchBench.message(["ann", "ben", "cia", "dan", "eva"]))
    let channel = ScriptedChannel { target, _ in
      switch target {
      case "ann": .delivered(providerID: "p")
      case "ben": .rejected(reason: "550")
      case "cia": .rejected(reason: "550 5.1.1", forgetsTarget: true)
      case "dan": .retry(reason: "451", first: .seconds(10))
      default: .deadLettered(reason: "550 5.7.1")
      }
    }
    try await bench.worker(channel).run()
    #expect(outcomes(bench) == ["ann": .delivered, "ben": .rejected, "cia": .rejected, "eva": .exhausted])
    #expect(channel.forgotten == ["cia"])
    let waiting: DispatchMessage = try QueueCoder.decode(from: try #require(bench.broker.messages(in: "ladder").first))
    #expect(waiting.deliveries.flatMap(\.targets).map(\.id) == ["dan"])
    #expect(waiting.recheck && waiting.attempt == 1)
    let deadLettered = try #require(try bench.deadLettered().first)
    #expect(deadLettered.deliveries.flatMap(\.targets).map(\.id) == ["eva"])
    #expect(deadLettered.recheck && deadLettered.attempt == 0)
    #expect(bench.broker.steps.last == .acknowledged(1))
  }

  @Test func `what its provider wants later is not tried before, and only what expires meanwhile has an end`()
    async throws
  {
    let bench = DispatchBench(ladderLeadsBack: false)
    let notBefore = Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 + 3_600).rounded())
    for (target, lifetime) in [("ann", 86_400.0), ("ben", -1)] {
      let request = target == "ann" ? "019a8b7c-6d5e-7f40-8123-456789abcdef" : "019a8b7c-6d5e-7f40-8123-456789abcdee"
      let id = try #require(RequestID(request))
      var message = try DispatchBench.message([target], request: id, recheck: true, attempt: 2, lifetime: lifetime)
      message.notBefore = notBefore
      try await bench.send(message)
    }
    let channel = ScriptedChannel(answer: delivered)
    try await bench.worker(channel).run()
    #expect(channel.tries == 0)
    #expect(outcomes(bench) == ["ben": .expired])
    let waiting: [DispatchMessage] = try bench.broker.messages(in: "ladder").map { try QueueCoder.decode(from: $0) }
    #expect(waiting.map { $0.deliveries.flatMap(\.targets).map(\.id) } == [["ann"]])
    #expect(waiting.map(\.attempt) == [2])
    #expect(waiting.map(\.notBefore) == [notBefore])
  }

  @Test func `a wait that nobody puts anything back for is over`() async throws {
    let bench = DispatchBench(ladderLeadsBack: false)
    var message = try DispatchBench.message(["ann"], recheck: true, attempt: 2, lifetime: 30 * 86_400)
    message.notBefore = Date.now + 8 * 86_400
    try await bench.send(message)
    let channel = ScriptedChannel(answer: delivered)
    try await bench.worker(channel).run()
    #expect(outcomes(bench) == ["ann": .delivered])
    #expect(bench.broker.messages(in: "ladder").isEmpty)
  }

  @Test func `what the provider does not serve is dead-lettered, and waits for no permit`() async throws {
    let bench = DispatchBench()
    let gate = Gate()
    try await bench.send(try DispatchBench.message(["ann"]))
    try await bench.send(try DispatchBench.message(["ben", "cia"]))
    let channel = ScriptedChannel(concurrency: 1, isServed: { $0 == "ann" }) { target, _ in
      await gate.wait()
      return .delivered(providerID: target)
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await bench.worker(channel).run() }
      try await eventually("it is dead-lettered") { !bench.broker.messages(in: bench.deadQueue).isEmpty }
      gate.open()
      try await group.waitForAll()
    }
    #expect(channel.tries == 1)
    #expect(outcomes(bench) == ["ann": .delivered, "ben": .exhausted, "cia": .exhausted])
    let deadLettered = try bench.deadLettered().flatMap(\.deliveries).flatMap(\.targets).map(\.id)
    #expect(Set(deadLettered) == ["ben", "cia"])
    #expect(bench.broker.heldCount(of: bench.queue) == 0)
  }

  @Test func `what is no dispatch message is dead-lettered as it is`() async throws {
    let bench = DispatchBench()
    var absurd = try DispatchBench.message(["ann"])
    absurd.attempt = .max
    let bodies = [Array("{}".utf8), Array("x".utf8), QueueCoder.encode(absurd)]
    for body in bodies {
      try await bench.broker.publish(
        BrokerMessage(body: body),
        exchange: Topology.dispatchExchange,
        routingKey: bench.queue
      )
    }
    let channel = ScriptedChannel(answer: delivered)
    try await bench.worker(channel).run()
    #expect(Set(bench.broker.messages(in: bench.deadQueue).map(\.body)) == Set(bodies))
    #expect(bench.broker.heldCount(of: bench.queue) == 0)
    #expect(channel.tries == 0)
  }

  @Test func `outcomes that the database takes for now or never do not keep others' from it`() async throws {
    let bench = DispatchBench()
    for target in ["ann", "ben"] {
      let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-4567\(target == "ann" ? "00000001" : "00000002")"))
      try await bench.send(try DispatchBench.message([target], request: request))
    }
    bench.outcomes.failRecording { records in
      records.contains { $0.target == "ben" } ? BrokerError(.invalidMessage, "never") : nil
    }
    try await bench.worker(ScriptedChannel(answer: delivered)).run()
    #expect(outcomes(bench) == ["ann": .delivered])
    #expect(try bench.deadLettered().map(\.recheck) == [true])
  }

  @Test func `whatever is not begun gives its permit back, and what cannot be looked up as well`() async throws {
    let bench = DispatchBench()
    let requests = try (1...5).map { try #require(RequestID("019a8b7c-6d5e-7f40-8123-45670000000\($0)")) }
    let finished = try DispatchBench.message(["ann", "ben"], request: requests[0], recheck: true)
    try await finish(finished, in: bench)
    let expired = try DispatchBench.message(["cia", "dan"], request: requests[1], lifetime: -60)
    let erased = try DispatchBench.message(["eva"], request: requests[2])
    bench.erasures.erase(erased.deliveries[0].userId, at: .now + 1)
    let unknown = try DispatchBench.message(["fay"], request: requests[3], recheck: true)
    bench.outcomes.failLookups(of: unknown.deliveries[0].notificationId, BrokerError(.invalidMessage, "never"))
    let last = try DispatchBench.message(["gus"], request: requests[4])
    for message in [finished, expired, erased, unknown, last] { try await bench.send(message) }
    let channel = ScriptedChannel(concurrency: 1, answer: delivered)
    try await bench.worker(channel).run()
    #expect(channel.accepted.keys.map(\.target) == ["gus"])
    #expect(
      outcomes(bench) == ["ann": .delivered, "ben": .delivered, "cia": .expired, "dan": .expired, "gus": .delivered]
    )
    #expect(try bench.deadLettered().flatMap(\.deliveries).flatMap(\.targets).map(\.id) == ["fay"])
    #expect(bench.broker.heldCount(of: bench.queue) == 0)
  }

  // MARK: Nothing twice without a crash

  @Test func `a lost connection with a hundred slow mails in flight repeats none of them`() async throws {
    let bench = DispatchBench()
    let names = (0..<100).map(String.init)
    try await bench.send(try DispatchBench.message(names))
    let channel = ScriptedChannel { target, _ in
      for _ in 0..<20 { await Task.yield() }
      return .delivered(providerID: target)
    }
    let worker = bench.worker(channel, waits: true)
    try await withThrowingTaskGroup { group in
      group.addTask { try await worker.run() }
      for tries in [10, 40, 70] {
        try await eventually("\(tries) are tried", every: .milliseconds(1)) { channel.tries >= tries }
        // The same consumer gets the message again while four of its mails are on their way.
        bench.broker.crash(bench.queue)
      }
      try await eventually("it is acknowledged") { bench.broker.steps.contains(.acknowledged(1)) }
      worker.consumer.stop()
      try await group.waitForAll()
    }
    #expect(channel.accepted.count == 100)
    #expect(channel.accepted.values.allSatisfy { $0 == 1 })
    #expect(outcomes(bench).count == 100)
    #expect(bench.broker.messages(in: bench.queue).isEmpty)
  }

  @Test func `a copy of what is in flight waits until the first is recorded, and others go before it`() async throws {
    let bench = DispatchBench()
    let gate = Gate()
    let message = try DispatchBench.message(["ann"])
    try await bench.send(message)
    var copy = message
    copy.recheck = true
    try await bench.send(copy)
    let other = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456700000001"))
    try await bench.send(try DispatchBench.message(["ben"], request: other))
    let channel = ScriptedChannel(concurrency: 2) { target, _ in
      if target == "ann" { await gate.wait() }
      return .delivered(providerID: target)
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await bench.worker(channel).run() }
      try await eventually("ben has it") { outcomes(bench) == ["ben": .delivered] }
      #expect(channel.tries == 2)
      gate.open()
      try await group.waitForAll()
    }
    #expect(channel.tries == 2)
    #expect(outcomes(bench) == ["ann": .delivered, "ben": .delivered])
    #expect(bench.broker.heldCount(of: bench.queue) == 0)
  }

  @Test(arguments: ["42P01", "42501", "53100", "25006"])
  func `a fault of the installation dead-letters nothing: outcomes wait until it is fixed, and nothing is sent again`(
    sqlState: String
  ) async throws {
    let bench = DispatchBench()
    try await bench.send(try DispatchBench.message(["ann", "ben"]))
    let channel = ScriptedChannel { target, _ in .delivered(providerID: target) }
    let attempts = Mutex(0)
    let problem = Mutex<String?>(nil)
    let worker = bench.worker(channel)
    bench.outcomes.failRecording { _ in
      let count = attempts.withLock { count in
        count += 1
        return count
      }
      problem.withLock { $0 = worker.faults.problem ?? $0 }
      return count < 4 ? PostgresError(.server(sqlState: sqlState)) : nil
    }
    try await worker.run()
    #expect(problem.withLock(\.self)?.hasPrefix("database: ") == true)
    #expect(worker.faults.problem == nil)
    #expect(channel.tries == 2)
    #expect(outcomes(bench) == ["ann": .delivered, "ben": .delivered])
    #expect(bench.broker.messages(in: bench.deadQueue).isEmpty)
    #expect(bench.broker.heldCount(of: bench.queue) == 0)
  }

  @Test func `for a notification that is not kept any more no partition is waited for`() async throws {
    let bench = DispatchBench()
    // Of 2025.
    try await bench.send(try DispatchBench.message(["ann"]))
    let channel = ScriptedChannel { target, _ in .delivered(providerID: target) }
    bench.outcomes.failRecording { _ in PostgresError(.server(sqlState: "23514")) }
    try await bench.worker(channel).run()
    #expect(bench.broker.messages(in: bench.deadQueue).count == 1)
    #expect(bench.broker.heldCount(of: bench.queue) == 0)
  }

  @Test func `results are recorded while other targets of the message are still in flight`() async throws {
    let bench = DispatchBench()
    let gate = Gate()
    try await bench.send(try DispatchBench.message(["slow", "ann", "ben"]))
    let channel = ScriptedChannel { target, _ in
      if target == "slow" { await gate.wait() }
      return .delivered(providerID: target)
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await bench.worker(channel).run() }
      try await eventually("both have it") { outcomes(bench) == ["ann": .delivered, "ben": .delivered] }
      gate.open()
      try await group.waitForAll()
    }
    #expect(outcomes(bench).count == 3)
  }

  @Test func `what is finished is looked up when its turn has come, not when the message comes`() async throws {
    let bench = DispatchBench()
    let gate = Gate()
    try await bench.send(try DispatchBench.message(["slow"]))
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456700000001"))
    let second = try DispatchBench.message(["ann"], request: request, recheck: true)
    try await bench.send(second)
    let channel = ScriptedChannel(concurrency: 1) { target, _ in
      if target == "slow" { await gate.wait() }
      return .delivered(providerID: target)
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await bench.worker(channel).run() }
      try await eventually("one is tried and both are held") {
        channel.tries == 1 && bench.broker.heldCount(of: bench.queue) == 2
      }
      // Somebody else finishes it meanwhile.
      try await finish(second, in: bench)
      gate.open()
      try await group.waitForAll()
    }
    #expect(channel.tries == 1)
  }

  @Test func `what has waited longer than the broker's patience is looked up although it came for the first time`()
    async throws
  {
    let bench = DispatchBench()
    let message = try DispatchBench.message(["ann", "ben"])
    try await bench.send(message)
    try await finish(message, in: bench)
    let channel = ScriptedChannel(answer: delivered)
    var timing = DispatchTiming()
    timing.lookupLifetime = .zero
    try await bench.worker(channel, timing: timing).run()
    #expect(channel.tries == 0)
    #expect(bench.broker.steps.last == .acknowledged(1))
  }

  @Test(arguments: [false, true])
  func `what has expired is recorded as that and not tried, whether it comes for the first time or again`(
    isRepeated: Bool
  ) async throws {
    let bench = DispatchBench(ladderLeadsBack: false)
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    var message = try DispatchBench.message(["ann", "ben"], request: request, recheck: isRepeated, lifetime: -60)
    if isRepeated {
      // Ann's was delivered before, and stays so.
      let all = message.deliveries
      message.deliveries = [all[0]]
      try await finish(message, in: bench)
      message.deliveries = all
    }
    try await bench.send(message)
    let channel = ScriptedChannel(answer: delivered)
    try await bench.worker(channel).run()
    #expect(channel.tries == 0)
    #expect(outcomes(bench) == ["ann": isRepeated ? .delivered : .expired, "ben": .expired])
    #expect(bench.broker.steps.last == .acknowledged(1))
    #expect(bench.broker.messages(in: "ladder").isEmpty && bench.broker.messages(in: bench.deadQueue).isEmpty)
  }

  @Test func `what has just come for the first time is not looked up`() async throws {
    let bench = DispatchBench()
    for _ in 0..<20 { try await bench.send(try DispatchBench.message(["ann"])) }
    let channel = ScriptedChannel(answer: delivered)
    var timing = DispatchTiming()
    timing.lookupLifetime = .seconds(60)
    try await bench.worker(channel, timing: timing).run()
    #expect(channel.tries == 20)
    #expect(bench.outcomes.lookups == 0)
  }

  @Test func `what cannot be finished before the broker loses patience is put back, and no attempt is counted`()
    async throws
  {
    let bench = DispatchBench(ladderLeadsBack: false)
    try await bench.send(try DispatchBench.message(["ann", "ben"], attempt: 1))
    let channel = ScriptedChannel(answer: delivered)
    var timing = DispatchTiming()
    timing.consumerTimeout = .zero
    try await bench.worker(channel, timing: timing).run()
    #expect(channel.tries == 0)
    let waiting: DispatchMessage = try QueueCoder.decode(from: try #require(bench.broker.messages(in: "ladder").first))
    #expect(waiting.deliveries.flatMap(\.targets).map(\.id) == ["ann", "ben"])
    #expect(waiting.recheck && waiting.attempt == 1)
    #expect(bench.broker.steps.last == .acknowledged(1))
  }

  @Test func `a message that comes back anyway is neither put on the ladder nor dead-lettered`() async throws {
    let bench = DispatchBench(ladderLeadsBack: false)
    let broker = bench.broker
    let queue = bench.queue
    try await bench.send(try DispatchBench.message(["ann", "ben", "cia"]))
    let channel = ScriptedChannel(maximumAttempts: 1) { target, number in
      if target == "ann", number == 1 { broker.crash(queue) }
      return target == "ann" ? .delivered(providerID: "p") : .deadLettered(reason: "550 5.7.1")
    }
    try await bench.drain(channel)
    #expect(channel.accepted.values.allSatisfy { $0 == 1 })
    #expect(try bench.deadLettered().count == 1)
    #expect(outcomes(bench) == ["ann": .delivered, "ben": .exhausted, "cia": .exhausted])
  }

  @Test func `an original that is dead-lettered after some of it was delivered is looked up when it is redriven`()
    async throws
  {
    let bench = DispatchBench()
    try await bench.send(try DispatchBench.message(["ann", "ben"]))
    let channel = ScriptedChannel { target, number in
      target == "ben" && number == 1 ? .retry(reason: "451", first: .seconds(1)) : .delivered(providerID: target)
    }
    bench.broker.failPublishes { _, exchange, _ in
      exchange == Topology.retryExchange ? BrokerError(.preconditionFailed, "no such ladder") : nil
    }
    try await bench.worker(channel).run()
    #expect(try bench.deadLettered().map(\.recheck) == [true])
    bench.broker.failPublishes(nil)
    try await bench.redrive()
    try await bench.drain(channel)
    #expect(channel.accepted.count == 2)
    #expect(channel.accepted.values.allSatisfy { $0 == 1 })
  }

  private func finish(_ message: DispatchMessage, in bench: DispatchBench) async throws {
    try await bench.outcomes.record(
      message.deliveries.flatMap { delivery in
        delivery.targets.map { target in
          DeliveryStore.Record(
            userID: delivery.userId,
            notificationID: delivery.notificationId,
            channel: .email,
            target: target.id,
            outcome: .delivered,
            attempts: 1
          )
        }
      }
    )
  }
}
