import Foundation
import Testing

@testable import Gateway

@Suite struct RememberedTokensTests {
  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `a token counts once, for longer than its proof is good`() {
    let tokens = RememberedTokens()
    #expect(tokens.take("a", at: start))
    for seconds in [0.0, 300, 600, 899, 901, 1_500] { #expect(!tokens.take("a", at: start + seconds)) }
    #expect(tokens.take("a", at: start + 10_000), "forgotten at last")
  }

  @Test func `one that was given back counts again`() {
    let tokens = RememberedTokens()
    #expect(tokens.take("a", at: start))
    tokens.giveBack("a")
    #expect(tokens.take("a", at: start) && !tokens.take("a", at: start))
  }

  @Test func `however many there are, memory is bounded, and the latest are remembered`() {
    let tokens = RememberedTokens(maximum: 100)
    for number in 0..<1_000 { #expect(tokens.take("\(number)", at: start)) }
    for number in 900..<1_000 { #expect(!tokens.take("\(number)", at: start)) }
  }
}
