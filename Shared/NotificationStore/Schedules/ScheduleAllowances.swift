import Foundation
import Synchronization

/// How many schedules owners may create before they are counted again: who puts thousands neither waits for each other nor is
/// counted each time.
///
/// Each process grants by its own counts, a sixteenth of the room at most, and no more than ``most`` for ``lifetime``. A count
/// does not see what others were granted and have not stored yet: by so much they may go beyond a limit, and what they
/// store counts from then on.
final class ScheduleAllowances: Sendable {
  private struct Allowance {
    var left: Int
    var until: Date
  }

  static let most = 1_000
  /// Seconds for which a count is good.
  static let lifetime: TimeInterval = 60
  /// Owners who are remembered.
  private static let owners = 10_000

  private let allowances = Mutex<[String: Allowance]>([:])

  /// Whether one more may be created without a count.
  func take(of owner: String, now: Date) -> Bool {
    allowances.withLock { allowances in
      guard let allowance = allowances[owner], allowance.left > 0, now < allowance.until else { return false }
      allowances[owner]?.left -= 1
      return true
    }
  }

  /// - Parameter room: How many more an owner may have.
  func grant(_ owner: String, room: Int, now: Date) {
    allowances.withLock { allowances in
      if allowances.count >= Self.owners { allowances.removeAll() }
      allowances[owner] = Allowance(left: min(Self.most, room / 16), until: now + Self.lifetime)
    }
  }
}
