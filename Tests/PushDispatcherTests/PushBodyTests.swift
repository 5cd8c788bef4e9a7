import Testing

@testable import PushDispatcher

/// Texts in brackets, as if these were all that a provider is sent.
@Suite struct PushBodyTests {
  private func body(_ text: String, within limit: Int) -> (text: String, isShortened: Bool)? {
    PushBody(fitting: text, within: limit) { Array("[\($0)]".utf8) }.map {
      (String(decoding: $0.bytes, as: UTF8.self), $0.isShortened)
    }
  }

  @Test func `what fits is sent whole`() throws {
    let whole = try #require(body("abc", within: 5))
    #expect(whole == ("[abc]", false))
    #expect(try #require(body("", within: 2)) == ("[]", false))
  }

  @Test(arguments: [(8, "[abc…]"), (7, "[ab…]"), (6, "[a…]"), (5, "[…]")])
  func `of what does not, as much is sent as does, and an ellipsis`(_ limit: Int, _ expected: String) throws {
    #expect(try #require(body("abcdefghi", within: limit)) == (expected, true))
  }

  @Test func `a character is sent whole or not at all`() throws {
    // Each takes 25 bytes.
    let families = String(repeating: "👨‍👩‍👧‍👦", count: 3)
    #expect(try #require(body(families, within: 5 + 60)) == ("[👨‍👩‍👧‍👦👨‍👩‍👧‍👦…]", true))
  }

  @Test func `where not even an empty text fits there is none`() {
    #expect(body("abcdef", within: 4) == nil)
  }
}
