import NotificationModel
import Synchronization
import UserIdentity

/// Users' identifiers that were read or stored a moment ago, bounded, in two generations: when the younger is full, the older is
/// forgotten. Whom another process erases is remembered here for a minute, and counts as stored for two seconds.
final class UserIdentifierCache: Sendable {
  private struct Entry {
    /// Empty for whom there was none.
    var text: String
    /// When it was read or stored last.
    var seen: ContinuousClock.Instant
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

  /// - Parameters:
  ///   - absent: Whether those count of whom there was none; their text is empty.
  ///   - freshness: Those that were seen longer ago do not count; nil is as long as they are remembered.
  func texts(of users: [UserID], absent: Bool, within freshness: Duration? = nil) -> [UserID: String] {
    let now = ContinuousClock.now
    return generations.withLock { generations in
      var texts: [UserID: String] = [:]
      for user in users {
        guard let entry = generations.young[user] ?? generations.old[user], entry.until > now,
          absent || !entry.text.isEmpty, freshness.map({ entry.seen + $0 > now }) ?? true
        else { continue }
        texts[user] = entry.text
      }
      return texts
    }
  }

  /// Whether all of them were seen as they are spelled, not longer ago than that.
  func know(_ identifiers: [UserIdentifier], within freshness: Duration) -> Bool {
    let now = ContinuousClock.now
    return generations.withLock { generations in
      identifiers.allSatisfy { identifier in
        let user = UserID(identifier.uuid)
        guard let entry = generations.young[user] ?? generations.old[user] else { return false }
        return entry.until > now && entry.seen + freshness > now && identifier.isSpelled(entry.text)
      }
    }
  }

  /// What a user was called when it was seen last, however long ago.
  func remembered(_ user: UserID) -> String? {
    let text = generations.withLock { ($0.young[user] ?? $0.old[user])?.text }
    return text == "" ? nil : text
  }

  /// What is noted already keeps its end: else whoever is busy would never be asked for again.
  func note(_ texts: [UserID: String]) { note(texts, for: Self.lifetime) }

  func note(absent users: [UserID]) {
    note(Dictionary(users.map { ($0, "") }) { $1 }, for: Self.lifetimeOfAbsence)
  }

  /// An absence that was read before a text was stored does not hide it.
  private func note(_ texts: [UserID: String], for lifetime: Duration) {
    let now = ContinuousClock.now
    generations.withLock { generations in
      for (user, text) in texts {
        if var entry = generations.young[user] ?? generations.old[user], entry.until > now,
          text.isEmpty || entry.text.utf8.elementsEqual(text.utf8)
        {
          if text.isEmpty { continue }
          entry.seen = now
          if generations.young[user] == nil { generations.old[user] = entry } else { generations.young[user] = entry }
          continue
        }
        if generations.young.count >= generationSize {
          generations.old = generations.young
          generations.young = [:]
        }
        generations.young[user] = Entry(text: text, seen: now, until: now + lifetime)
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
