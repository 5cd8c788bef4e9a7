import NotificationModel
import Synchronization

/// Users' identifiers that were read or stored a moment ago, bounded, in two generations: when the younger is full, the older is
/// forgotten. Whom another process erases is remembered here for a minute.
final class UserIdentifierCache: Sendable {
  private struct Entry {
    /// Empty for whom there was none.
    var text: String
    var until: ContinuousClock.Instant
  }

  private struct Generations {
    var young: [UserID: Entry] = [:]
    var old: [UserID: Entry] = [:]
  }

  private let generationSize: Int
  private let generations = Mutex(Generations())

  private static let lifetime: Duration = .seconds(60)
  /// Of whom there was none: the next moment may store one.
  private static let lifetimeOfAbsence: Duration = .seconds(2)

  init(capacity: Int) {
    generationSize = max(1, capacity / 2)
  }

  /// - Parameter absent: Whether those count of whom there was none; their text is empty.
  func texts(of users: [UserID], absent: Bool) -> [UserID: String] {
    let now = ContinuousClock.now
    return generations.withLock { generations in
      var texts: [UserID: String] = [:]
      for user in users {
        guard let entry = generations.young[user] ?? generations.old[user], entry.until > now,
          absent || !entry.text.isEmpty
        else { continue }
        texts[user] = entry.text
      }
      return texts
    }
  }

  /// What is noted already keeps its end: else whoever is busy would never be asked for again.
  func note(_ texts: [UserID: String]) { note(texts, for: Self.lifetime) }

  func note(absent users: [UserID]) {
    note(Dictionary(users.map { ($0, "") }) { $1 }, for: Self.lifetimeOfAbsence)
  }

  private func note(_ texts: [UserID: String], for lifetime: Duration) {
    let now = ContinuousClock.now
    generations.withLock { generations in
      for (user, text) in texts {
        if let entry = generations.young[user], entry.until > now, entry.text.utf8.elementsEqual(text.utf8) { continue }
        if let entry = generations.old[user], entry.until > now, entry.text.utf8.elementsEqual(text.utf8) { continue }
        if generations.young.count >= generationSize {
          generations.old = generations.young
          generations.young = [:]
        }
        generations.young[user] = Entry(text: text, until: now + lifetime)
      }
    }
  }

  func forget(_ user: UserID) {
    generations.withLock { generations in
      generations.young[user] = nil
      generations.old[user] = nil
    }
  }
}
