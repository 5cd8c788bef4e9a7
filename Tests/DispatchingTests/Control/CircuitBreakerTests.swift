import Testing

@testable import Dispatching

@Suite struct CircuitBreakerTests {
  private let start = ContinuousClock.now

  /// Makes calls, every other of which fails if half should.
  @discardableResult
  private func call(_ breaker: inout CircuitBreaker, _ failures: [Bool], at now: ContinuousClock.Instant) -> Int {
    var opened = 0
    for failed in failures {
      breaker.begin(at: now)
      if breaker.end(failed: failed, generation: breaker.generation, at: now) == .opened { opened += 1 }
    }
    return opened
  }

  @Test func `it opens at half of a hundred calls, not at ninety-nine, nor at less than half`() {
    var few = CircuitBreaker(now: start)
    #expect(call(&few, [Bool](repeating: true, count: 99), at: start) == 0)
    #expect(few.refusal(at: start) == nil)
    var half = CircuitBreaker(now: start)
    #expect(call(&half, [Bool](repeating: false, count: 50) + [Bool](repeating: true, count: 50), at: start) == 1)
    #expect(half.refusal(at: start) == .seconds(60))
    var less = CircuitBreaker(now: start)
    let calls = [Bool](repeating: false, count: 101) + [Bool](repeating: true, count: 99) + [false, true]
    #expect(call(&less, calls, at: start) == 0)
  }

  @Test
  func `it opens at a hundred failures in a row, however many calls went well before, and not if one does between`() {
    let good = [Bool](repeating: false, count: 10_000)
    let silent = start + .seconds(15)
    var breaker = CircuitBreaker(now: start)
    call(&breaker, good, at: start)
    #expect(call(&breaker, [Bool](repeating: true, count: 99), at: silent) == 0)
    #expect(breaker.isClosed)
    #expect(call(&breaker, [true], at: silent) == 1)
    #expect(breaker.refusal(at: silent) == .seconds(60))
    var mixed = CircuitBreaker(now: start)
    call(&mixed, good, at: start)
    for _ in 0..<10 {
      #expect(call(&mixed, [Bool](repeating: true, count: 99) + [false], at: silent) == 0)
    }
  }

  @Test func `what failed more than a minute ago no longer counts`() {
    var breaker = CircuitBreaker(now: start)
    call(&breaker, [Bool](repeating: true, count: 99), at: start)
    #expect(call(&breaker, [true], at: start + .seconds(66)) == 0)
    #expect(breaker.refusal(at: start + .seconds(66)) == nil)
  }

  @Test func `after a minute ten probes go, and no eleventh until they say that it works`() {
    var breaker = CircuitBreaker(now: start)
    call(&breaker, [Bool](repeating: true, count: 100), at: start)
    let later = start + .seconds(60)
    #expect(breaker.refusal(at: later - .milliseconds(1)) != nil)
    for _ in 0..<10 {
      #expect(breaker.refusal(at: later) == nil)
      breaker.begin(at: later)
    }
    #expect(breaker.refusal(at: later) != nil)
    let generation = breaker.generation
    for number in 1...10 {
      let change = breaker.end(failed: number <= 4, generation: generation, at: later)
      #expect(change == (number == 10 ? .closed : .none))
    }
    #expect(breaker.isClosed && breaker.refusal(at: later) == nil)
  }

  @Test func `five failed probes open it again, and calls from before it opened are no probes`() {
    var breaker = CircuitBreaker(now: start)
    let before = breaker.generation
    call(&breaker, [Bool](repeating: true, count: 100), at: start)
    let later = start + .seconds(60)
    for _ in 0..<10 { breaker.begin(at: later) }
    for _ in 0..<10 { #expect(breaker.end(failed: true, generation: before, at: later) == .none) }
    let generation = breaker.generation
    for number in 1...5 {
      #expect(breaker.end(failed: true, generation: generation, at: later) == (number == 5 ? .opened : .none))
    }
    #expect(breaker.refusal(at: later) == .seconds(60))
  }

  @Test func `a probe that was not made may be made again`() {
    var breaker = CircuitBreaker(now: start)
    call(&breaker, [Bool](repeating: true, count: 100), at: start)
    let later = start + .seconds(60)
    for _ in 0..<10 { breaker.begin(at: later) }
    breaker.cancel(generation: breaker.generation)
    #expect(breaker.refusal(at: later) == nil)
  }
}
