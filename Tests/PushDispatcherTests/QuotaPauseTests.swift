import Testing

@testable import PushDispatcher

@Suite struct QuotaPauseTests {
  @Test func `at first nothing is held back`() {
    #expect(QuotaPause().remaining == nil)
  }

  @Test func `a pause lasts as long as was said`() throws {
    let pause = QuotaPause()
    pause.extend(by: .seconds(3_600))
    let remaining = try #require(pause.remaining)
    #expect(remaining > .seconds(3_500) && remaining <= .seconds(3_600))
  }

  @Test func `a shorter pause never shortens a longer one`() throws {
    let pause = QuotaPause()
    pause.extend(by: .seconds(3_600))
    pause.extend(by: .seconds(1))
    #expect(try #require(pause.remaining) > .seconds(3_500))
    pause.extend(by: .seconds(7_200))
    #expect(try #require(pause.remaining) > .seconds(7_100))
  }

  @Test func `a pause that is over holds nothing back`() {
    let pause = QuotaPause()
    pause.extend(by: .zero)
    #expect(pause.remaining == nil)
    pause.extend(by: .seconds(-5))
    #expect(pause.remaining == nil)
  }
}
