import Synchronization

/// How long a machine has been up, as a test says.
final class SettableUptime: Sendable {
  private let time = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { time.withLock(\.self) }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
