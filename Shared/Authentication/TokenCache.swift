import Foundation

/// Verified tokens, bounded, in two generations: when the younger is full, the older is forgotten.
///
/// Keyed by the whole token, not by a hash that another token could share.
struct TokenCache: Sendable {
  private struct Entry: Sendable {
    let principal: Principal
    let validUntil: Date
  }

  private let generationSize: Int
  private var young: [String: Entry] = [:]
  private var old: [String: Entry] = [:]

  init(maximumTokens: Int) {
    generationSize = maximumTokens / 2
  }

  var count: Int { young.count + old.count }

  mutating func principal(of token: String, at now: Date) -> Principal? {
    if let entry = young[token] { return entry.validUntil > now ? entry.principal : nil }
    guard let entry = old.removeValue(forKey: token), entry.validUntil > now else { return nil }
    insert(entry, for: token)
    return entry.principal
  }

  mutating func insert(_ principal: Principal, of token: String, validUntil: Date) {
    insert(Entry(principal: principal, validUntil: validUntil), for: token)
  }

  mutating func removeAll() {
    young = [:]
    old = [:]
  }

  private mutating func insert(_ entry: Entry, for token: String) {
    guard generationSize > 0 else { return }
    if young.count >= generationSize {
      old = young
      young = [:]
    }
    young[token] = entry
  }
}
