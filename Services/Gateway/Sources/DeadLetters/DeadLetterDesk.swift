import Broker
import Logging
import NotificationQueue

/// Where dead-lettered messages are looked at, sent back and thrown away.
protocol DeadLetterDesk: Sendable {
  func count(_ queue: DeadQueue) async throws -> Int
  /// The oldest ones after `skip` that are older still.
  func oldest(_ limit: Int, after skip: Int, of queue: DeadQueue) async throws -> [DeadMessage]
  /// - Parameters:
  ///   - ids: Nil is all that are dead-lettered now.
  ///   - deadline: What is not begun by then stays.
  func redrive(_ queue: DeadQueue, _ ids: Set<String>?, until deadline: ContinuousClock.Instant) async throws
    -> DeadTransfer
  /// Like ``redrive(_:_:until:)``.
  func discard(_ queue: DeadQueue, _ ids: Set<String>?, until deadline: ContinuousClock.Instant) async throws
    -> (count: Int, isComplete: Bool)
}

/// The broker's own: each call makes connections and closes them.
struct BrokerDeadLetters: DeadLetterDesk {
  let configuration: BrokerConfiguration
  let logger: Logger

  func count(_ queue: DeadQueue) async throws -> Int {
    try await letters(queue).count() ?? 0
  }

  func oldest(_ limit: Int, after skip: Int, of queue: DeadQueue) async throws -> [DeadMessage] {
    var (seen, found): (Int, [DeadMessage]) = (0, [])
    try await letters(queue).look(atMost: skip + limit) { message in
      seen += 1
      if seen > skip { found.append(message) }
      return true
    }
    return found
  }

  func redrive(
    _ queue: DeadQueue,
    _ ids: Set<String>?,
    until deadline: ContinuousClock.Instant
  ) async throws -> DeadTransfer {
    try await letters(queue).redrive(ids, until: deadline)
  }

  func discard(
    _ queue: DeadQueue,
    _ ids: Set<String>?,
    until deadline: ContinuousClock.Instant
  ) async throws -> (count: Int, isComplete: Bool) {
    try await letters(queue).discard(ids, until: deadline)
  }

  private func letters(_ queue: DeadQueue) -> DeadLetters {
    DeadLetters(queue: queue, configuration: configuration, logger: logger)
  }
}
