import Foundation
import Synchronization

/// What time it is, as a test says.
final class SettableClock: Sendable {
  private let time: Mutex<Date>

  /// Far from now, so that whoever asks another clock is found out. Whole seconds: what is stored has milliseconds.
  init(_ start: Date = Date(timeIntervalSince1970: 4_000_000_000)) {
    time = Mutex(start)
  }

  var now: Date { time.withLock(\.self) }

  func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
