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

  @Test func `pauses of unsaid length double up to ten minutes, until something was sent`() {
    let pause = QuotaPause()
    var now = ContinuousClock.now
    for wait in [60, 120, 240, 480, 600, 600] {
      let length = pause.extend(by: nil, from: now)
      #expect((.seconds(wait)...(.seconds(wait) * 1.25)).contains(length))
      // Many calls are told the same at once.
      #expect(pause.extend(by: nil, from: now) == length)
      now += length
    }
    pause.sent()
    #expect(pause.extend(by: nil, from: now) <= .seconds(75))
  }
}
