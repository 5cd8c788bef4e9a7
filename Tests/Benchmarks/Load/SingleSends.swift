import Foundation
import NotificationModel
import NotificationStore
import Postgres
import Synchronization

/// Single sends at a steady rate beside other work, each followed until FCM's simulator has taken its push.
///
/// They go to some people of their own: of these the simulator can tell the pushes among any number of others.
struct SingleSends: Sendable {
  /// A second.
  static let rate = 200
  private static let people = 20

  private let bench: Bench
  private let users: [UserID]
  private let tokens: [String]
  private let load: LoadGenerator

  /// Makes the people; once in a run.
  init(_ bench: Bench) async throws {
    self.bench = bench
    let results = try await bench.database.transaction([
      """
      INSERT INTO users (user_id, display_name, locale, timezone)
      SELECT md5('single user ' || i)::uuid, 'User ' || i, 'en', 'Europe/Berlin' FROM generate_series(1, \(Self.people)) i
      """,
      """
      INSERT INTO devices (user_id, id, token, platform, name, app_version)
      SELECT md5('single user ' || i)::uuid, gen_random_uuid(), 'single-' || i || ':' || repeat(md5('token ' || i), 4),
        (1 + i % 3)::int2, 'Phone', '1.0'
      FROM generate_series(1, \(Self.people)) i
      RETURNING user_id, token
      """,
    ])
    var (users, tokens): ([UserID], [String]) = ([], [])
    for row in results[1] {
      users.append(try row.get(0))
      tokens.append(try row.get(1))
    }
    (self.users, self.tokens) = (users, tokens)
    load = try await SendSuite.load(bench, users: users, connections: bench.options.clients)
  }

  /// How many of their pushes have an outcome.
  func pushed() async throws -> Int {
    let rows = try await bench.database.query("SELECT count(*) FROM deliveries WHERE user_id = ANY(\(users))")
    return try rows.first?.get(0) ?? 0
  }

  /// Sends for as long as the work takes.
  func during<Value>(_ work: () async throws -> Value) async throws -> (value: Value, sent: Sent) {
    let isWanted = Flag()
    return try await withThrowingTaskGroup(of: Part.self) { group in
      // Also when the work fails: the group waits for the others.
      defer { isWanted.lower() }
      group.addTask { [load] in .answers(try await load.openLoop(rate: Self.rate) { isWanted.isRaised }) }
      group.addTask { .pushes(try await watch(while: isWanted)) }
      let value = try await work()
      isWanted.lower()
      var sent = Sent(users: users, answers: [], pushes: PushWatch(bench.simulator, tokens: []))
      for try await part in group {
        switch part {
        case .answers(let answers): sent.answers = answers
        case .pushes(let pushes): sent.pushes = pushes
        }
      }
      return (value, sent)
    }
  }

  private func watch(while isWanted: Flag) async throws -> PushWatch {
    var pushes = PushWatch(bench.simulator, tokens: tokens)
    while isWanted.isRaised {
      try await pushes.look()
      // The simulator keeps 200,000 pushes, several seconds' worth.
      for _ in 0..<10 where isWanted.isRaised { try await Task.sleep(for: .milliseconds(100)) }
    }
    return pushes
  }

  /// What was sent, and what has come of it.
  struct Sent {
    fileprivate let users: [UserID]
    fileprivate(set) var answers: [LoadGenerator.Answer]
    fileprivate var pushes: PushWatch

    var count: Int { answers.count }
    /// From the moment at which each was due to the gateway's 202.
    var toAccepted: Latencies { answers.latencies }

    /// Reads which pushes have come; at least every few seconds while many come.
    mutating func look() async throws {
      try await pushes.look()
    }

    /// From the moment at which each was due to its push.
    ///
    /// - Throws: `BenchError` if one has not been seen.
    func toPush() throws -> Latencies {
      try answers.latencies(until: pushes.times, of: users)
    }
  }

  private enum Part {
    case answers([LoadGenerator.Answer])
    case pushes(PushWatch)
  }

  /// Raised until it is lowered.
  private final class Flag: Sendable {
    private let value = Atomic<Bool>(true)

    var isRaised: Bool { value.load(ordering: .relaxed) }

    func lower() { value.store(false, ordering: .relaxed) }
  }
}
