import Broker
import Dispatching
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing

/// Deaths between any two steps of the worker: what is accepted, recorded, forgotten, put back, dead-lettered, acknowledged.
@Suite(.timeLimit(.minutes(5))) struct DispatchCrashTests {
  private static let targets = ["ann", "ben", "cia", "dan", "eva", "fay"]

  /// One of each kind: at once, at the second try, never again, only after somebody mended something.
  private static func answer(_ target: String, _ number: Int) async -> DeliveryResult {
    for _ in 0..<Int.random(in: 0...5) { await Task.yield() }
    return switch target {
    case "cia": number == 1 ? .retry(reason: "451", first: .seconds(1)) : .delivered(providerID: target)
    case "dan": .rejected(reason: "550 5.1.1", forgetsTarget: true)
    case "eva": number < 4 ? .deadLettered(reason: "550 5.7.1") : .delivered(providerID: target)
    default: .delivered(providerID: target)
    }
  }

  /// Dies after each of `deaths`' effects, one life after another, then lives on. Answers whether all died.
  private func run(_ deaths: [Int]) async throws -> Bool {
    let bench = DispatchBench()
    try await bench.send(try DispatchBench.message(Self.targets))
    var accepted: [DeliveryStore.Key: Int] = [:]
    /// What a provider accepted and nobody wrote down before the process died: only that may be sent again.
    var unrecorded: [DeliveryStore.Key: Int] = [:]
    var tries: [String: Int] = [:]
    var didAllDie = true
    for effects in deaths + [.max] {
      let life = Life(effects: effects)
      let earlier = tries
      let channel = ScriptedChannel(concurrency: 3, life: life) { target, number in
        await Self.answer(target, number + earlier[target, default: 0])
      }
      if effects == .max {
        // Redrives until everybody is served; four tries are the most that anybody needs.
        for _ in 0..<8 {
          try await bench.drain(channel)
          try await bench.redrive()
        }
      } else {
        try await bench.worker(channel, life: life).run()
        didAllDie = didAllDie && life.isOver
      }
      for (key, count) in channel.accepted {
        accepted[key, default: 0] += count
        if bench.outcomes.records[key]?.outcome != .delivered { unrecorded[key, default: 0] += 1 }
      }
      tries["eva"] = 4
      tries["cia"] = max(tries["cia", default: 0], channel.tries > 0 ? 1 : 0)
    }
    let outcomes = Dictionary(uniqueKeysWithValues: bench.outcomes.records.map { ($0.key.target, $0.value.outcome) })
    #expect(Set(outcomes.keys) == Set(Self.targets), "\(deaths): somebody was lost")
    #expect(outcomes.filter { $0.value != .delivered } == ["dan": .rejected], "\(deaths)")
    #expect(accepted.count == Self.targets.count - 1, "\(deaths)")
    for (key, count) in accepted {
      #expect(count <= 1 + unrecorded[key, default: 0], "\(deaths): \(key.target) \(count) times")
    }
    #expect(bench.broker.messages(in: bench.queue).isEmpty && bench.broker.heldCount(of: bench.queue) == 0)
    #expect(bench.broker.messages(in: bench.deadQueue).isEmpty)
    return didAllDie
  }

  @Test func `a death after any effect loses nothing and repeats only what nobody could write down`() async throws {
    var effects = 0
    var dies = true
    while dies {
      dies = false
      for _ in 0..<8 where try await run([effects]) { dies = true }
      effects += 1
    }
    #expect(effects > 8)
  }

  @Test func `two deaths in a row, after any two effects`() async throws {
    for first in 0..<12 {
      for second in 0..<12 {
        _ = try await run([first, second])
      }
    }
  }

  @Test func `connections lost at any moment repeat nothing`() async throws {
    for _ in 0..<100 {
      let bench = DispatchBench()
      let broker = bench.broker
      let queue = bench.queue
      try await bench.send(try DispatchBench.message(Self.targets))
      let channel = ScriptedChannel(concurrency: 3) { target, number in
        if number < 3, Int.random(in: 0..<3) == 0 { broker.crash(queue) }
        return target == "eva" ? .delivered(providerID: target) : await Self.answer(target, number)
      }
      try await bench.drain(channel)
      #expect(channel.accepted.count == Self.targets.count - 1)
      #expect(channel.accepted.values.allSatisfy { $0 == 1 })
      #expect(broker.heldCount(of: queue) == 0 && broker.messages(in: queue).isEmpty)
    }
  }
}
