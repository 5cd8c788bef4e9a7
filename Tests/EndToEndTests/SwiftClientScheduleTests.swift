import LocalStack
import TestSupport
import Testing

extension EndToEndTests {
  /// The client for apps in Swift through random schedules of faults.
  @Suite(.serialized, .timeLimit(.minutes(10))) struct SwiftClientScheduleTests {
    /// As many as run beside each other.
    private static let width = 10

    /// Thirty in the long run, of which the everyday one has none: its three have other seeds.
    private static let seeds = TestScope.isLong ? 1...UInt64(TestScope.rounds(of: 30)) : 101...103

    @Test func `two apps of a user end with what is stored, and are told of everything once`() async throws {
      try await TestStack.with { belfry in
        let killer = ProcessKiller([BelfryService.inapp, .gateway].flatMap { belfry.stack.services($0) })
        var schedules: [AppSchedule] = []
        for seed in Self.seeds { schedules.append(try await .prepare(seed: seed, belfry, killer)) }
        try await withThrowingTaskGroup(of: Void.self) { [schedules] group in
          var waiting = schedules.makeIterator()
          func next() {
            guard let schedule = waiting.next() else { return }
            group.addTask { try await schedule.run() }
          }
          for _ in 0..<Self.width { next() }
          while try await group.next() != nil { next() }
        }
        let kills = await killer.count
        #expect(kills > 0)
        print("\(Self.seeds.count) schedules, \(kills) processes killed")
      }
    }
  }
}
