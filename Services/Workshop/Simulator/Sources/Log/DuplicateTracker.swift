/// Counts distinct keys, how often one came again, and how often it came again with another fingerprint.
///
/// Keys are kept as 128-bit hashes, so a hundred thousand pushes cost a few megabytes. Beyond ``maximumKeys`` new keys are
/// counted as untracked.
struct DuplicateTracker {
  static let maximumKeys = 1_000_000

  /// Whether something came before.
  enum Repetition: Sendable, Equatable {
    case none
    /// It takes the place of what came before.
    case same
    /// It is shown beside what came before.
    case differing
  }

  private(set) var distinct = 0
  private(set) var duplicates = 0
  /// Duplicates that a device or mailbox would show a second time.
  private(set) var differing = 0
  private(set) var untracked = 0

  private struct Key: Hashable {
    let high: Int
    let low: Int
  }

  private var fingerprints: [Key: Int] = [:]

  /// - Parameter fingerprint: What must stay the same when the key comes again; nil never is the same.
  @discardableResult
  mutating func record(_ key: (String, String), fingerprint: String?) -> Repetition {
    let hash = Key(high: Self.hash(key, 1), low: Self.hash(key, 2))
    let identity = fingerprint?.hashValue
    guard let earlier = fingerprints[hash] else {
      guard fingerprints.count < Self.maximumKeys else {
        untracked += 1
        return .none
      }
      fingerprints[hash] = identity ?? 0
      distinct += 1
      return .none
    }
    duplicates += 1
    guard earlier != identity else { return .same }
    differing += 1
    return .differing
  }

  mutating func removeAll() {
    self = DuplicateTracker()
  }

  private static func hash(_ key: (String, String), _ salt: UInt8) -> Int {
    var hasher = Hasher()
    hasher.combine(salt)
    hasher.combine(key.0)
    hasher.combine(key.1)
    return hasher.finalize()
  }
}
