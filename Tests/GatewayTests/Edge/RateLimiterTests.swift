import HTTPTypes
import Testing

@testable import Gateway

@Suite struct RateLimiterTests {
  private let uptime = SettableUptime()

  private func limiter(rate: Int, maximumBuckets: Int = 100) -> RateLimiter {
    RateLimiter("user", rate: rate, maximumBuckets: maximumBuckets, now: { [uptime] in uptime.now })
  }

  private func admitted(_ limiter: RateLimiter, of count: Int, _ subject: String = "a") -> Int {
    (0..<count).count(where: { _ in limiter.take(subject).isAdmitted })
  }

  @Test func `a burst of twice the rate passes, then no more`() {
    let limiter = limiter(rate: 5)
    #expect((0..<10).map { _ in limiter.take("a").remaining } == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    #expect(admitted(limiter, of: 5) == 0)
  }

  @Test func `afterwards as many pass as the rate says`() {
    let limiter = limiter(rate: 5)
    #expect(admitted(limiter, of: 20) == 10)
    uptime.advance(by: .milliseconds(190))
    #expect(!limiter.take("a").isAdmitted)
    uptime.advance(by: .milliseconds(20))
    #expect(limiter.take("a").isAdmitted)
    #expect(!limiter.take("a").isAdmitted)
    uptime.advance(by: .milliseconds(1_090))
    #expect(admitted(limiter, of: 20) == 5)
  }

  @Test func `a long silence earns no more than one burst`() {
    let limiter = limiter(rate: 5)
    #expect(limiter.take("a").isAdmitted)
    uptime.advance(by: .seconds(86_400))
    #expect(admitted(limiter, of: 50) == 10)
  }

  @Test func `nobody pays for another`() {
    let limiter = limiter(rate: 1)
    #expect(admitted(limiter, of: 5) == 2)
    #expect(limiter.take("b").isAdmitted)
  }

  @Test func `a clock that seems to step back takes nothing away`() {
    let limiter = limiter(rate: 1)
    #expect(limiter.take("a").isAdmitted)
    uptime.advance(by: .seconds(-60))
    #expect(limiter.take("a").isAdmitted)
    #expect(!limiter.take("a").isAdmitted)
  }

  @Test func `what is given back can be taken again, and never more than a burst`() {
    let limiter = limiter(rate: 1)
    #expect(admitted(limiter, of: 3) == 2)
    limiter.giveBack("a")
    #expect(admitted(limiter, of: 3) == 1)
    for _ in 0..<9 { limiter.giveBack("a") }
    #expect(admitted(limiter, of: 5) == 2)
    limiter.giveBack("nobody")
    #expect(limiter.count == 1)
  }

  @Test func `however many come, a bounded number is kept: first those go who have been quiet`() {
    let limiter = limiter(rate: 1, maximumBuckets: 10)
    for number in 0..<10 { _ = limiter.take("quiet \(number)") }
    uptime.advance(by: .seconds(60))
    #expect(admitted(limiter, of: 3, "busy") == 2)
    #expect(limiter.count == 1)
    #expect(!limiter.take("busy").isAdmitted)
    for number in 0..<1_000 {
      _ = limiter.take("busy \(number)")
      #expect(limiter.count <= 10)
    }
  }

  @Test func `headers give the policy, what is left and when there is more`() {
    let limiter = limiter(rate: 50)
    var headers = HTTPFields()
    limiter.take("a").add(to: &headers)
    #expect(headers[.rateLimitPolicy] == #""user";q=100;w=2"#)
    #expect(headers[.rateLimit] == #""user";r=99;t=1"#)
    RateLimiter("address", rate: 1).take("b").add(to: &headers)
    #expect(headers[.rateLimitPolicy] == #""user";q=100;w=2, "address";q=2;w=2"#)
    #expect(headers[.rateLimit] == #""user";r=99;t=1, "address";r=1;t=1"#)
  }
}
