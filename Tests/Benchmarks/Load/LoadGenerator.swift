import NotificationModel
import Synchronization

/// Sends requests from many connections, each on a thread of its own.
struct LoadGenerator: Sendable {
  /// One answered request; times as of ``WallTime``.
  struct Answer: Sendable {
    /// Which request: an index that counts up from 0 across all connections.
    var number: Int
    /// When it was due, in an open loop; else when it was sent.
    var due: Int64
    var answered: Int64
    /// What was asked for from the body.
    var text: String
  }

  /// What to keep of a body: so many bytes after a mark.
  struct Extract: Sendable {
    var mark: StaticString
    var length: Int
  }

  let port: Int
  let connections: Int
  /// Sent in turn.
  let requests: [[UInt8]]
  let status: Int
  var extract: Extract?

  /// As fast as the answers come.
  func closedLoop(seconds: Int) async throws -> [Answer] {
    let end = WallTime.now + Int64(seconds) * 1_000_000_000
    return try await run { _ in
      let now = WallTime.now
      return now < end ? now : nil
    }
  }

  /// As fast as the answers come, each request once.
  func closedLoop() async throws -> [Answer] {
    try await run { number in number < requests.count ? WallTime.now : nil }
  }

  /// At a fixed rate, whether answers come or not: a late answer delays no other request's due time, so a stall is seen
  /// by all that it holds up.
  func openLoop(rate: Int, seconds: Int) async throws -> [Answer] {
    let start = WallTime.now + 50_000_000
    return try await run { number in
      guard number < rate * seconds else { return nil }
      let due = start + Int64(number) * 1_000_000_000 / Int64(rate)
      WallTime.sleep(until: due)
      return due
    }
  }

  /// The same for as long as it is asked for.
  func openLoop(rate: Int, while isWanted: @escaping @Sendable () -> Bool) async throws -> [Answer] {
    let start = WallTime.now + 50_000_000
    return try await run { number in
      let due = start + Int64(number) * 1_000_000_000 / Int64(rate)
      WallTime.sleep(until: due)
      return isWanted() ? due : nil
    }
  }

  /// - Parameter next: Waits until the request is due; nil ends the connection's work.
  private func run(_ next: @escaping @Sendable (Int) -> Int64?) async throws -> [Answer] {
    let counter = Counter()
    return try await Threads.run(connections) { _ in
      let connection = try LoadConnection(port: port)
      var answers: [Answer] = []
      while true {
        let number = counter.next()
        guard let due = next(number) else { return answers }
        let status = try connection.exchange(requests[number % requests.count])
        guard status == self.status else { throw BenchError("answered \(status): \(connection.text)") }
        let text = extract.map { connection.text(after: $0.mark, length: $0.length) ?? "" } ?? ""
        answers.append(Answer(number: number, due: due, answered: WallTime.now, text: text))
      }
    }
    .flatMap(\.self)
  }

  private final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
  }
}

extension [LoadGenerator.Answer] {
  /// From due to answered, leaving out the first tenth, in which connections and caches warm up.
  var latencies: Latencies {
    let first = count / 10
    return Latencies(lazy.filter { $0.number >= first }.map { $0.answered - $0.due })
  }

  /// From due to when something happened to what was sent, leaving out the first tenth as ``latencies`` does.
  ///
  /// - Parameters:
  ///   - times: By notification id.
  ///   - users: To whom it was sent in turn; the text of an answer is its request's id.
  /// - Throws: `BenchError` where it did not happen.
  func latencies(until times: [String: Int64], of users: [UserID]) throws -> Latencies {
    let first = count / 10
    return Latencies(
      try filter { $0.number >= first }.map { answer in
        guard let request = RequestID(answer.text) else { throw BenchError("not a request id: \(answer.text)") }
        let id = NotificationID(request: request, recipient: users[answer.number % users.count]).description
        guard let time = times[id] else { throw BenchError("\(id) did not arrive") }
        return time - answer.due
      }
    )
  }

  /// Answers per second from the first due to the last answered.
  var rate: Double {
    guard let start = map(\.due).min(), let end = map(\.answered).max(), end > start else { return 0 }
    return Double(count) / WallTime.seconds(from: start, to: end)
  }
}
