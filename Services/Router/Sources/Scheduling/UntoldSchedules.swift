import Foundation
import Logging
import NotificationStore
import Synchronization

/// Says which schedules the catalogue does not serve, once a minute for each reason: thousands may wait for one type.
final class UntoldSchedules: Sendable {
  /// One of them.
  struct Entry: Sendable {
    let claim: ScheduleStore.Claim
    let reason: String
  }

  private struct Line {
    var said: Date
    /// Those that were seen since.
    var unsaid = 0
  }

  /// Between two lines with the same reason, in seconds.
  static let pause: TimeInterval = 60
  private static let maximumReasons = 100

  private let lines = Mutex<[String: Line]>([:])

  /// Takes those of a round.
  func report(_ entries: [Entry], now: Date, to logger: Logger) {
    for (reason, entries) in Dictionary(grouping: entries, by: \.reason) {
      guard let first = entries.first?.claim, let count = self.count(entries.count, because: reason, now: now) else {
        continue
      }
      logger.error(
        "a schedule cannot be planned and is tried again later",
        metadata: [
          "schedule": "\(first.key ?? first.id.uuidString.lowercased())", "owner": "\(first.owner)",
          "reason": "\(reason)", "count": "\(count)",
        ]
      )
    }
  }

  /// How many are to be said now, those of before included; nil if it is too early.
  private func count(_ count: Int, because reason: String, now: Date) -> Int? {
    lines.withLock { lines in
      if var line = lines[reason], now < line.said + Self.pause, now >= line.said {
        line.unsaid += count
        lines[reason] = line
        return nil
      }
      if lines.count >= Self.maximumReasons { lines = lines.filter { now < $0.value.said + Self.pause } }
      if lines.count >= Self.maximumReasons { lines = [:] }
      let unsaid = lines.updateValue(Line(said: now), forKey: reason)?.unsaid ?? 0
      return unsaid + count
    }
  }
}
