import Synchronization

/// The zones that this process has met, one object each.
///
/// Bounded by the database: only identifiers that exist are kept, about 600 with all aliases. Those exist that are of a
/// form which the database uses and that it has a file of, or that Foundation knows (``ZoneSource``).
package final class ZoneRegistry: Sendable {
  static let shared = ZoneRegistry(database: .system)

  private let database: ZoneDatabase
  private let known = Mutex<[String: ZoneRules]>([:])

  package init(database: ZoneDatabase) {
    self.database = database
  }

  func rules(of identifier: String) -> ZoneRules? {
    if let rules = known.withLock({ $0[identifier] }) { return rules }
    guard Self.isIdentifier(identifier), let source = ZoneSource(identifier, in: database) else { return nil }
    // Outside the lock: nobody waits for the table of a zone that he does not want.
    let rules = ZoneRules(identifier: identifier, source: source)
    return known.withLock { known in
      if let earlier = known[identifier] { return earlier }
      known[identifier] = rules
      return rules
    }
  }

  /// Whether the text is of a form that the database uses, so that other names stay out: files beside the zones
  /// (`posix/UTC`, `localtime`), abbreviations (of which `IST` is three countries', and `PST` has summer time), offsets
  /// (`GMT+3`), and what only ICU has (`SystemV/AST4`).
  static func isIdentifier(_ text: String) -> Bool {
    if singleNames.contains(text) { return true }
    guard text.utf8.count <= 64 else { return false }
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return (2...3).contains(parts.count) && areas.contains(String(parts[0]) ?? "")
      && parts.dropFirst().allSatisfy { part in
        part.first.map(isLetter) == true && part.allSatisfy { isLetter($0) || isDigitOrSign($0) }
      }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigitOrSign(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-_".utf8.contains(byte)
  }

  private static let areas: Set<String> = [
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Brazil", "Canada", "Chile", "Etc",
    "Europe", "Indian", "Mexico", "Pacific", "US",
  ]

  /// The database's names without an area. Not `Factory`, which stands for a machine that nobody has set up.
  private static let singleNames: Set<String> = [
    "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "GB", "GB-Eire", "GMT", "GMT+0", "GMT-0",
    "GMT0",
    "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan", "Kwajalein", "Libya", "MET", "MST",
    "MST7MDT", "NZ", "NZ-CHAT", "Navajo", "PRC", "PST8PDT", "Poland", "Portugal", "ROC", "ROK", "Singapore", "Turkey",
    "UCT", "UTC", "Universal", "W-SU", "WET", "Zulu",
  ]
}
