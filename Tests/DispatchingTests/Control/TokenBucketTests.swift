import Testing

@testable import Dispatching

@Suite struct TokenBucketTests {
  private let start = ContinuousClock.now

  /// How many calls pass from one time to another, if there is always something to do.
  private func passed(_ bucket: inout TokenBucket, from: Int, to: Int) -> Int {
    var passed = 0
    for tick in (from * 100)..<(to * 100) {
      while bucket.take(at: start + .milliseconds(tick * 10)) == nil { passed += 1 }
    }
    return passed
  }

  @Test func `a start takes a minute: a tenth at first, more and more, then all`() {
    var bucket = TokenBucket(rate: 100, now: start)
    let first = passed(&bucket, from: 0, to: 1)
    #expect((8...12).contains(first))
    let ramp = passed(&bucket, from: 1, to: 60)
    #expect((3_200...3_400).contains(first + ramp))
    #expect((5_990...6_010).contains(passed(&bucket, from: 60, to: 120)))
  }

  @Test(arguments: [60.0, 600, 6_000])
  func `three that share a quota never pass more than 102 % of it in a minute, however they pause`(quota: Double) {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<5 {
      var buckets = [TokenBucket](repeating: TokenBucket(rate: quota / 60 / 3, now: start), count: 3)
      var perSecond: [Int] = []
      for second in 0..<300 {
        var count = 0
        for index in buckets.indices where Bool.random(using: &random) || second > 120 {
          for tick in 0..<10 {
            while buckets[index].take(at: start + .seconds(second) + .milliseconds(tick * 100)) == nil { count += 1 }
          }
        }
        perSecond.append(count)
      }
      let most = (0...(perSecond.count - 60)).map { perSecond[$0..<($0 + 60)].reduce(0, +) }.max() ?? 0
      // Whole tokens: one more for each where a second has less than one.
      #expect(Double(most) <= max(quota * 1.02, quota + 3), "\(most) of \(quota)")
      #expect(Double(most) >= quota * 0.95)
    }
  }

  @Test func `who is left takes all at once, and who begins anew begins slowly`() {
    var bucket = TokenBucket(rate: 100, now: start)
    _ = passed(&bucket, from: 0, to: 60)
    bucket.setRate(200, at: start + .seconds(60))
    #expect((1_990...2_010).contains(passed(&bucket, from: 60, to: 70)))
    bucket.restart(at: start + .seconds(70))
    #expect((15...30).contains(passed(&bucket, from: 70, to: 71)))
  }

  @Test func `it says when there is a token, and one that is given back is taken again`() throws {
    var bucket = TokenBucket(rate: 10, now: start)
    let first = bucket.take(at: start)
    let wait = try #require(first)
    #expect(wait > .milliseconds(900) && wait < .milliseconds(1_100))
    #expect(bucket.take(at: start + wait) == nil)
    #expect(bucket.take(at: start + wait) != nil)
    bucket.giveBack()
    #expect(bucket.take(at: start + wait) == nil)
  }
}
