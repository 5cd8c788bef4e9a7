import NotificationModel
import Synchronization

/// The exports that run, of those that users ask for themselves or of those that services ask for: each kind has turns of its own,
/// so neither waits for the other. An export has a page in memory for as long as its reader takes, so there are only so many.
final class ExportTurns: Sendable {
  /// In this process, and about one user.
  static let atOnce = 8
  static let perUser = 2

  /// One that runs until nobody keeps this.
  final class Turn: Sendable {
    private let turns: ExportTurns
    private let user: UserID

    fileprivate init(_ turns: ExportTurns, _ user: UserID) {
      self.turns = turns
      self.user = user
    }

    deinit { turns.end(user) }
  }

  private let running = Mutex<[UserID: Int]>([:])

  /// Nil if there are too many.
  func begin(_ user: UserID) -> Turn? {
    let isFree = running.withLock { running in
      guard running[user, default: 0] < Self.perUser, running.values.reduce(0, +) < Self.atOnce else { return false }
      running[user, default: 0] += 1
      return true
    }
    return isFree ? Turn(self, user) : nil
  }

  private func end(_ user: UserID) {
    running.withLock { running in
      let left = running[user, default: 1] - 1
      running[user] = left > 0 ? left : nil
    }
  }
}
