import Foundation
import NotificationModel

/// What evidence comes to, each address once: rows as they are to be written. Pure.
struct SuppressionDraft {
  /// A row that suppresses, or that does so if there was a refusal before.
  struct Row {
    var address: String
    var reason: SuppressionReason
    /// Of the first and the last evidence.
    var since: Date
    var lastAt: Date
    var source: String
    var diagnostic: String?
    var user: UserID?
    /// When the mail was accepted that it is about: nothing is written of a user who was erased since.
    var asked: Date
  }

  /// A refusal that counts with others.
  struct SoftBounce {
    var address: String
    var occurrence: String
    var at: Date
    var code: String
    var user: UserID?
    var asked: Date
  }

  private struct Key: Hashable {
    let address: String
    let reason: SuppressionReason
  }

  private struct Occurrence: Hashable {
    let address: String
    let occurrence: String
  }

  private var suppressing: [Key: Row] = [:]
  private var counted: [Occurrence: SoftBounce] = [:]
  private var suspected: [Occurrence: Row] = [:]

  /// Sorted, as all write them, so that nobody waits for ever.
  var rows: [Row] { suppressing.values.sorted { ($0.address, $0.reason.rawValue) < ($1.address, $1.reason.rawValue) } }

  var softBounces: [SoftBounce] { counted.values.sorted { ($0.address, $0.occurrence) < ($1.address, $1.occurrence) } }

  /// What the soft bounces suppress if they are not the only ones: of each address the latest, and what it is about.
  var suspects: [(row: Row, occurrence: String)] {
    var latest: [String: (row: Row, occurrence: String)] = [:]
    for (key, row) in suspected where latest[row.address].map({ $0.row.lastAt < row.lastAt }) ?? true {
      latest[row.address] = (row, key.occurrence)
    }
    return latest.values.sorted { $0.row.address < $1.row.address }
  }

  /// - Parameter now: Nothing is later.
  init(_ evidence: [SuppressionEvidence], now: Date) {
    for item in evidence where MailAddress.isPlausible(item.address) { add(item, now) }
  }

  private mutating func add(_ item: SuppressionEvidence, _ now: Date) {
    let at = min(item.at, now)
    let reason: SuppressionReason
    switch item.kind.effect {
    case .none: return
    case .suppresses(let known): reason = known
    case .onRepetition: reason = .hardBounce
    }
    let row = Row(
      address: MailAddress.canonical(item.address),
      reason: reason,
      since: at,
      lastAt: at,
      source: Self.text(item.source, limit: 100),
      diagnostic: item.diagnostic.map { Self.text($0, limit: 500) },
      user: item.deliveryOf?.user,
      asked: item.deliveryOf?.notification.time ?? at
    )
    guard item.kind.effect == .onRepetition else {
      let key = Key(address: row.address, reason: reason)
      suppressing[key] = suppressing[key].map { $0.merged(with: row) } ?? row
      return
    }
    let occurrence =
      item.deliveryOf?.notification.description ?? "\(row.source) \(Int(at.timeIntervalSince1970.rounded()))"
    let key = Occurrence(address: row.address, occurrence: occurrence)
    suspected[key] = suspected[key].map { $0.merged(with: row) } ?? row
    counted[key] = SoftBounce(
      address: row.address,
      occurrence: occurrence,
      at: at,
      code: item.kind.code ?? "",
      user: row.user,
      asked: row.asked
    )
  }

  /// Of a stranger: of one line, and without what a terminal or a database minds.
  private static func text(_ text: String, limit: Int) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) {
      scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return String(scalars)
  }
}

extension SuppressionDraft.Row {
  /// Two of the same address and reason: since the first, in the words of the last.
  fileprivate func merged(with other: Self) -> Self {
    var merged = lastAt > other.lastAt ? self : other
    let former = lastAt > other.lastAt ? other : self
    merged.since = min(since, other.since)
    merged.diagnostic = merged.diagnostic ?? former.diagnostic
    if merged.user == nil { (merged.user, merged.asked) = (former.user, former.asked) }
    return merged
  }
}

extension SuppressionEvidence.Kind {
  fileprivate var code: String? {
    switch self {
    case .permanent(let code), .soft(let code), .unclear(let code): code
    case .complaint, .manual: nil
    }
  }
}
