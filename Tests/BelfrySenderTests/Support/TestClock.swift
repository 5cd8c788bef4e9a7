import BelfrySender
import Synchronization

/// A clock that stands still until somebody sleeps, and remembers for how long.
final class TestClock: SenderClock {
  private let start = ContinuousClock.now
  private let slept = Mutex<[Duration]>([])
  private let worked = Mutex(Duration.zero)

  var pauses: [Duration] { slept.withLock { $0 } }

  var now: ContinuousClock.Instant { start + pauses.reduce(.zero, +) + worked.withLock { $0 } }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    slept.withLock { $0.append(duration) }
  }

  /// Lets time pass in which nobody slept.
  func advance(by duration: Duration) {
    worked.withLock { $0 += duration }
  }
}
