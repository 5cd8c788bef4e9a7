import Foundation
import Testing

@testable import Dispatching

/// How a scope is slowed after too many calls, and comes back by itself.
@Suite struct ScopePaceTests {
  private let start = ContinuousClock.now

  private func pace(most: Double? = nil, slowsDown: Bool = true) -> ScopePace {
    ScopePace(most: most, slowsDown: slowsDown, now: start)
  }

  /// Calls that pass in so many seconds, if there is always one to make; ten looks a second.
  private func passed(_ pace: inout ScopePace, seconds: Int, from now: ContinuousClock.Instant) -> Int {
    var count = 0
    for tick in 0..<seconds * 10 {
      let now = now + .milliseconds(100 * tick)
      while count < 1_000_000, !pace.refuses(at: now) {
        if pace.rate(at: now) == nil { return .max }
        pace.take()
        pace.count(at: now)
        count += 1
      }
    }
    return count
  }

  /// A hundred calls a second, for a minute.
  private func busy() -> (pace: ScopePace, now: ContinuousClock.Instant) {
    var pace = pace()
    for number in 0..<6_000 { pace.count(at: start + .milliseconds(10 * number)) }
    return (pace, start + .seconds(60))
  }

  @Test func `a scope of which nothing is said is free`() {
    var pace = pace()
    for _ in 0..<1_000 {
      #expect(pace.refuses(at: start) == false)
      pace.take()
    }
    #expect(pace.rate(at: start) == nil && !pace.isSlowed(at: start))
  }

  @Test func `after too many it gets half of what it had, and half as much again each minute`() throws {
    var (pace, now) = busy()
    pace.slowDown(at: now)
    let rate = try #require(pace.rate(at: now))
    #expect((45...55).contains(rate))
    let later = try #require(pace.rate(at: now + .seconds(60)))
    #expect(abs(later - rate * 1.5) < 0.001)
    #expect(pace.isSlowed(at: now))
    let count = passed(&pace, seconds: 10, from: now + .milliseconds(100))
    #expect((450...600).contains(count), "\(count) calls in ten seconds")
  }

  @Test func `at four times what was too many it is free again`() throws {
    var (pace, now) = busy()
    pace.slowDown(at: now)
    // 1.5 to the power of five is 7.6: nearly eight times the half.
    #expect(pace.rate(at: now + .seconds(300)) != nil)
    #expect(pace.rate(at: now + .seconds(330)) == nil)
    now += .seconds(330)
    #expect(pace.refuses(at: now) == false)
    #expect(!pace.isSlowed(at: now))
  }

  @Test func `what is said of calls in flight counts once, and a new word halves again`() throws {
    var (pace, now) = busy()
    for _ in 0..<20 { pace.slowDown(at: now + .seconds(1)) }
    let first = try #require(pace.rate(at: now + .seconds(1)))
    #expect(first > 40)
    now += .seconds(61)
    _ = passed(&pace, seconds: 10, from: now)
    pace.slowDown(at: now + .seconds(10))
    let second = try #require(pace.rate(at: now + .seconds(10)))
    // It had grown by half and a little more.
    #expect(second < first && second > first / 2)
  }

  @Test func `however often it hears of too many, a call a minute is tried`() {
    var pace = pace()
    var now = start
    for _ in 0..<100 {
      pace.slowDown(at: now)
      now += .seconds(60)
      #expect(pace.refuses(at: now) == false)
      pace.take()
      #expect(pace.refuses(at: now) == true)
    }
  }

  @Test func `a rate that is set is a most, slowed or not`() {
    var pace = pace(most: 10)
    let count = passed(&pace, seconds: 10, from: start)
    #expect((95...105).contains(count))
    let now = start + .seconds(10)
    pace.slowDown(at: now)
    let slowed = passed(&pace, seconds: 10, from: now + .milliseconds(100))
    #expect((40...65).contains(slowed), "\(slowed) calls")
    #expect(pace.rate(at: now + .seconds(3_600)) == 10)
  }

  @Test func `a provider whose words mean no pace is not slowed`() {
    var pace = pace(slowsDown: false)
    pace.slowDown(at: start)
    #expect(pace.rate(at: start) == nil)
  }

  @Test func `a call that was not made is given back, and no more than a second's is kept`() {
    var pace = pace(most: 1)
    pace.take()
    #expect(pace.refuses(at: start) == true)
    pace.giveBack()
    #expect(pace.refuses(at: start) == false)
    let later = start + .seconds(3_600)
    #expect(pace.refuses(at: later) == false)
    pace.take()
    #expect(pace.refuses(at: later) == true)
  }
}
