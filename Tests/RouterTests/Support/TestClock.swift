import Foundation
import Synchronization

/// What time it is, as a test says.
final class TestClock: Sendable {
  private let time: Mutex<Date>

  /// Whole seconds: what is stored has milliseconds.
  init(_ start: Date = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down))) {
    time = Mutex(start)
  }

  var now: Date { time.withLock(\.self) }

  func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
