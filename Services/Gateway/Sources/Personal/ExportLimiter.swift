import NotificationModel
import Synchronization

/// The exports that run. Those that users ask for themselves and those that services ask for have turns of their own, so neither
/// are in the other's way. An export has a page in memory for as long as its reader takes, so there are only so many.
final class ExportLimiter: Sendable {
  enum Asker: Hashable {
    case user, service
  }

  /// Of one kind in this process, and of those about one user.
  static let atOnce = 8
  static let perUser = 2

  /// One that runs until nobody keeps this.
  final class Turn: Sendable {
    private let turns: ExportLimiter
    private let user: UserID
    private let asker: Asker

    fileprivate init(_ turns: ExportLimiter, _ user: UserID, _ asker: Asker) {
      self.turns = turns
      self.user = user
      self.asker = asker
    }

    deinit { turns.end(user, asker) }
  }

  private let running = Mutex<[Asker: [UserID: Int]]>([:])

  /// Nil if there are too many.
  func begin(_ user: UserID, for asker: Asker) -> Turn? {
    let isFree = running.withLock { running in
      let others = running[asker, default: [:]]
      guard others[user, default: 0] < Self.perUser, others.values.reduce(0, +) < Self.atOnce else { return false }
      running[asker, default: [:]][user, default: 0] += 1
      return true
    }
    return isFree ? Turn(self, user, asker) : nil
  }

  private func end(_ user: UserID, _ asker: Asker) {
    running.withLock { running in
      let left = running[asker]?[user].map { $0 - 1 } ?? 0
      running[asker]?[user] = left > 0 ? left : nil
    }
  }
}
