import BelfryClient
import Foundation
import Synchronization

/// The time of this machine, and what a test has let pass besides.
final class AppClock: ClientClock {
  /// How soon a sleeper notices that time was let pass.
  private static let tick = 0.02

  private let ahead = Mutex(0.0)

  var now: Date { Date(timeIntervalSinceNow: ahead.withLock { $0 }) }

  /// Lets time pass at once.
  func advance(by duration: Duration) {
    ahead.withLock { $0 += duration / .seconds(1) }
  }

  func sleep(for duration: Duration) async throws {
    let end = now.addingTimeInterval(duration / .seconds(1))
    while true {
      let left = end.timeIntervalSince(now)
      if left <= 0 { return try Task.checkCancellation() }
      try await Task.sleep(for: .seconds(min(left, Self.tick)))
    }
  }
}
