import Testing

@testable import Gateway

@Suite struct RateLimiterTests {
  private let start = ContinuousClock.now

  @Test func `a burst of twice the rate passes, then no more`() {
    let limiter = RateLimiter(rate: 5)
    for _ in 0..<10 { #expect(limiter.admits("a", now: start)) }
    #expect(!limiter.admits("a", now: start))
    #expect(!limiter.admits("a", now: start))
  }

  @Test func `afterwards as many pass as the rate says`() {
    let limiter = RateLimiter(rate: 5)
    for _ in 0..<10 { _ = limiter.admits("a", now: start) }
    #expect(!limiter.admits("a", now: start + .milliseconds(190)))
    #expect(limiter.admits("a", now: start + .milliseconds(210)))
    #expect(!limiter.admits("a", now: start + .milliseconds(220)))
    let later = start + .milliseconds(1_300)
    #expect((0..<20).filter { _ in limiter.admits("a", now: later) }.count == 5)
  }

  @Test func `a long silence earns no more than one burst`() {
    let limiter = RateLimiter(rate: 5)
    _ = limiter.admits("a", now: start)
    let later = start + .seconds(86_400)
    #expect((0..<50).filter { _ in limiter.admits("a", now: later) }.count == 10)
  }

  @Test func `nobody pays for another`() {
    let limiter = RateLimiter(rate: 1)
    for _ in 0..<5 { _ = limiter.admits("a", now: start) }
    #expect(!limiter.admits("a", now: start))
    #expect(limiter.admits("b", now: start))
  }

  @Test func `a clock that seems to step back takes nothing away`() {
    let limiter = RateLimiter(rate: 1)
    #expect(limiter.admits("a", now: start))
    #expect(limiter.admits("a", now: start - .seconds(60)))
    #expect(!limiter.admits("a", now: start - .seconds(60)))
  }
}
