import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing

@testable import Dispatching

/// One provider with scopes, a tenth of whose targets are of one that is silent or fails.
@Suite(.timeLimit(.minutes(2))) struct IsolationTests {
  private static let sick = ProviderScope("push:sick.example")
  private static let healthy = ProviderScope("push:healthy.example")

  @Sendable private static func isSick(_ target: String) -> Bool { target.hasSuffix("0") }

  @Sendable private static func scope(_ target: String) -> ProviderScope { isSick(target) ? sick : healthy }

  /// Twenty messages of a hundred targets, each tenth of which is sick.
  private func send(to bench: DispatchBench) async throws {
    for number in 0..<20 {
      let targets = (0..<100).map { "\(number)-\($0)" }
      try await bench.send(try DispatchBench.message(targets, request: RequestID(now: .now)))
    }
  }

  /// Targets on the ladder, by failures that were counted.
  private func waiting(_ bench: DispatchBench) throws -> [Int: [String]] {
    var waiting: [Int: [String]] = [:]
    for message in bench.broker.messages(in: "ladder") {
      let message = try QueueCoder.decode(DispatchMessage.self, from: message)
      waiting[message.attempt, default: []] += message.deliveries.flatMap(\.targets).map(\.id)
    }
    return waiting
  }

  @Test func `while a scope is silent all others are delivered, and what it cannot take waits without an attempt`()
    async throws
  {
    let bench = DispatchBench(ladderLeadsBack: false)
    try await send(to: bench)
    let gate = Gate()
    let channel = ScriptedChannel(concurrency: 16, control: ControlSettings(), scope: Self.scope) { target, _ in
      if Self.isSick(target) { await gate.wait() }
      return .delivered(providerID: target)
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await bench.worker(channel).run() }
      try await eventually("all of the others are delivered") { channel.accepted.count == 1_800 }
      #expect(channel.accepted.keys.allSatisfy { !Self.isSick($0.target) })
      gate.open()
      try await group.waitForAll()
    }
    let waiting = try waiting(bench)
    #expect(Set(waiting.keys).isSubset(of: [0]))
    let late = waiting[0, default: []]
    #expect(!late.isEmpty && late.allSatisfy(Self.isSick))
    #expect(Set(late).count == late.count)
    #expect(channel.accepted.count + late.count == 2_000)
    #expect(channel.accepted.values.allSatisfy { $0 == 1 })
  }

  @Test func `a scope that answers 503 is left alone after a hundred calls, and all others are delivered`() async throws
  {
    let bench = DispatchBench(ladderLeadsBack: false)
    try await send(to: bench)
    let channel = ScriptedChannel(concurrency: 16, control: ControlSettings(), scope: Self.scope) { target, _ in
      Self.isSick(target)
        ? .retry(reason: "503", first: .seconds(10), isProviderTrouble: true) : .delivered(providerID: target)
    }
    try await bench.worker(channel).run()
    #expect(channel.accepted.count == 1_800)
    let waiting = try waiting(bench)
    let failed = waiting[1, default: []]
    let spared = waiting[0, default: []]
    // A hundred, and what was in flight when the last of them failed.
    #expect(!failed.isEmpty && failed.count <= 116)
    #expect(failed.count + spared.count == 200)
    #expect((failed + spared).allSatisfy(Self.isSick))
    #expect(channel.tries == 1_800 + failed.count)
    // What is spared of a message for one reason is one message, or two where a second passes.
    let pieces = try bench.broker.messages(in: "ladder").map { try QueueCoder.decode(DispatchMessage.self, from: $0) }
    #expect(pieces.count { $0.attempt == 0 } <= 40)
  }

  @Test func `a used up quota holds the whole scope back, without an attempt, and no other`() async throws {
    let bench = DispatchBench(ladderLeadsBack: false)
    try await send(to: bench)
    let channel = ScriptedChannel(concurrency: 1, control: ControlSettings(), scope: Self.scope) { target, _ in
      Self.isSick(target) ? .throttled(reason: "429", until: .seconds(10)) : .delivered(providerID: target)
    }
    try await bench.worker(channel).run()
    #expect(channel.accepted.count == 1_800)
    #expect(try waiting(bench).mapValues(\.count) == [0: 200])
    #expect(channel.tries == 1_801)
  }
}
