import Foundation
import Testing

@testable import Gateway

@Suite struct RememberedTokensTests {
  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `a token counts once, for longer than its proof is good`() {
    let tokens = RememberedTokens()
    #expect(tokens.take("a", at: start) == .first)
    tokens.keep("a", at: start)
    for seconds in [0.0, 300, 3_900, 4_199, 4_201, 6_000] {
      #expect(tokens.take("a", at: start + seconds) == .repeated)
    }
    #expect(tokens.take("a", at: start + 20_000) == .first, "forgotten at last")
  }

  @Test func `while somebody is at it, it is not taken, and one that was given back counts again`() {
    let tokens = RememberedTokens()
    #expect(tokens.take("a", at: start) == .first)
    #expect(tokens.take("a", at: start) == .inProgress)
    tokens.giveBack("a")
    #expect(tokens.take("a", at: start) == .first)
    tokens.keep("a", at: start)
    #expect(tokens.take("a", at: start) == .repeated)
  }

  @Test func `however many there are, memory is bounded, and the latest are remembered`() {
    let tokens = RememberedTokens(maximum: 100)
    for number in 0..<1_000 {
      #expect(tokens.take("\(number)", at: start) == .first)
      tokens.keep("\(number)", at: start)
    }
    for number in 901..<1_000 { #expect(tokens.take("\(number)", at: start) == .repeated) }
  }
}
