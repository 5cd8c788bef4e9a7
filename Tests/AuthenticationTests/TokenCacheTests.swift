import Foundation
import Testing

@testable import Authentication

@Suite struct TokenCacheTests {
  private let start = Date(timeIntervalSince1970: 1_000)

  private func principal(_ name: String) throws -> Principal {
    try TokenClaims(json: Array(#"{"sub":"\#(name)"}"#.utf8)).principal(validUntil: start + 60)
  }

  /// Inserts tokens that are valid for a minute.
  private func insert(_ tokens: some Sequence<String>, into cache: inout TokenCache) throws {
    for token in tokens { cache.insert(try principal(token), of: token, validUntil: start + 60) }
  }

  private func names(_ range: Range<Int>) -> [String] { range.map { "token \($0)" } }

  @Test(arguments: [0, 1, 2, 3, 10, 101])
  func `it never holds more than its maximum, in whatever order tokens come and are asked for`(_ maximum: Int) throws {
    var cache = TokenCache(maximumTokens: maximum)
    var most = 0
    for step in 0..<2_000 {
      let token = "token \(step * 7_919 % 149)"
      if cache.principal(of: token, at: start) == nil { try insert([token], into: &cache) }
      _ = cache.principal(of: "token \(step * 31 % 149)", at: start)
      most = max(most, cache.count)
    }
    #expect(most <= maximum)
    #expect(most > maximum / 2 || maximum < 2)
  }

  @Test func `what was asked for lately outlives what was not`() throws {
    var cache = TokenCache(maximumTokens: 10)
    try insert(names(0..<5), into: &cache)
    // The first five grow old here; the one asked for is young again.
    try insert(names(5..<6), into: &cache)
    #expect(cache.principal(of: "token 0", at: start)?.subject == "token 0")
    // Three of these fill the young generation, and the fourth makes it old.
    try insert(names(6..<10), into: &cache)
    #expect(cache.principal(of: "token 0", at: start) != nil)
    for forgotten in names(1..<5) { #expect(cache.principal(of: forgotten, at: start) == nil) }
  }

  @Test func `a token is known until it expires, and then no longer, however old it is`() throws {
    var cache = TokenCache(maximumTokens: 2)
    try insert(["a"], into: &cache)
    #expect(cache.principal(of: "a", at: start + 59)?.subject == "a")
    #expect(cache.principal(of: "a", at: start + 60) == nil)
    try insert(["b"], into: &cache)
    #expect(cache.principal(of: "a", at: start + 60) == nil)
    #expect(cache.principal(of: "b", at: start + 59)?.subject == "b")
  }

  @Test func `another token is another key, whoever it is of`() throws {
    var cache = TokenCache(maximumTokens: 10)
    cache.insert(try principal("ann"), of: "x", validUntil: start + 60)
    cache.insert(try principal("ben"), of: "y", validUntil: start + 60)
    #expect(cache.principal(of: "x", at: start)?.subject == "ann")
    #expect(cache.principal(of: "y", at: start)?.subject == "ben")
    #expect(cache.principal(of: "z", at: start) == nil)
  }

  @Test func `when the keys change, both generations are forgotten`() throws {
    var cache = TokenCache(maximumTokens: 4)
    try insert(names(0..<4), into: &cache)
    #expect(cache.count == 4)
    cache.removeAll()
    #expect(cache.count == 0)
    for token in names(0..<4) { #expect(cache.principal(of: token, at: start) == nil) }
  }
}
