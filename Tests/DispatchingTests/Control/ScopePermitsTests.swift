import Foundation
import Testing

@testable import Dispatching

/// A quota that the scopes of one kind share.
@Suite struct ScopePermitsTests {
  private let start = ContinuousClock.now
  private let project = ProviderScope("fcm")
  private let news = ProviderScope("fcm:topic/news")
  private let sport = ProviderScope("fcm:topic/sport")
  private let other = ProviderScope("other:host")
  private static let trouble = DeliveryResult.retry(reason: "503", first: .seconds(10), isProviderTrouble: true)
  private static let delivered = DeliveryResult.delivered(providerID: "p")

  /// A hundred calls a second.
  private func permits(maximumScopes: Int = 64) -> ScopePermits {
    ScopePermits(count: 10_000, rate: 100, maximumScopes: maximumScopes, jitter: FullJitter { 0.5 }) { now in
      ScopeControl(sparesQuarterHours: false, jitter: FullJitter { 0.5 }, now: now)
    }
  }

  private func ticket(
    _ permits: inout ScopePermits,
    _ scope: ProviderScope,
    at now: ContinuousClock.Instant
  ) -> ProviderControl.Ticket? {
    let step = permits.step(for: scope, isRetry: false, atHead: true, at: now, date: Date(timeIntervalSince1970: 0))
    guard case .decided(.admitted(let ticket)) = step else { return nil }
    return ticket
  }

  /// Calls that may be made at once, and end at once.
  private func passed(
    _ permits: inout ScopePermits,
    _ scope: ProviderScope,
    _ result: DeliveryResult = Self.delivered,
    atMost most: Int = 1_000,
    at now: ContinuousClock.Instant
  ) -> Int {
    var count = 0
    while count < most, let ticket = ticket(&permits, scope, at: now) {
      _ = permits.end(ticket, result, at: now)
      _ = permits.release(scope)
      count += 1
    }
    return count
  }

  @Test func `a topic takes of its project's quota, and the project of what topics take`() {
    var permits = permits()
    #expect(passed(&permits, project, at: start) == 0, "a start is slow")
    // All of the start's time and more: a second of the full rate is there.
    var now = start + .seconds(120)
    #expect(passed(&permits, news, atMost: 30, at: now) == 30)
    #expect(passed(&permits, project, at: now) == 70)
    #expect(passed(&permits, sport, at: now) == 0, "a topic that is new has no quota of its own")
    now += .milliseconds(500)
    #expect(passed(&permits, sport, at: now) == 50)
    #expect(passed(&permits, project, at: now) == 0)
  }

  @Test func `another kind of scope has a quota of its own`() {
    var permits = permits()
    #expect(passed(&permits, news, at: start) == 0)
    #expect(passed(&permits, other, at: start) == 0)
    let now = start + .seconds(120)
    #expect(passed(&permits, news, at: now) == 100)
    #expect(passed(&permits, other, at: now) == 100)
  }

  @Test func `however many topics there are, no more than the quota passes`() {
    var permits = permits()
    var count = 0
    // The start is over, and a second's calls are there.
    _ = passed(&permits, project, at: start)
    for tick in 0..<600 {
      let now = start + .seconds(120) + .milliseconds(100 * tick)
      count += passed(&permits, ProviderScope("fcm:topic/\(tick % 40)"), at: now)
    }
    #expect(count <= 61 * 100 && count >= 60 * 100)
  }

  @Test func `what lacks a token is told how long, and that most of what there is to do waits for the same`() {
    var permits = permits()
    let now = start + .seconds(120)
    _ = passed(&permits, project, at: start)
    #expect(passed(&permits, project, at: now) == 100)
    // The topic has none of the calls so far; its kind has all.
    let step = permits.step(for: news, isRetry: false, atHead: true, at: now, date: .now)
    guard case .decided(.notYet(let wait, isMajor: true)) = step else {
      Issue.record("\(step)")
      return
    }
    #expect(abs(wait / .milliseconds(10) - 1) < 0.01)
  }

  @Test func `a call that was not made gives its token back, whichever scope it was in`() throws {
    var permits = permits()
    let now = start + .seconds(120)
    _ = passed(&permits, project, at: start)
    #expect(passed(&permits, project, atMost: 98, at: now) == 98)
    let first = try #require(ticket(&permits, news, at: now))
    let second = try #require(ticket(&permits, news, at: now))
    #expect(ticket(&permits, project, at: now) == nil)
    permits.cancel(first)
    _ = permits.end(second, .abandoned, at: now)
    #expect(passed(&permits, project, at: now) == 2)
  }

  /// Opens the scope's breaker and closes it again by ten probes.
  private func fallAndRise(
    _ permits: inout ScopePermits,
    _ scope: ProviderScope,
    at now: ContinuousClock.Instant
  ) -> CircuitBreaker.Change {
    #expect(passed(&permits, scope, Self.trouble, at: now) == 100)
    #expect(passed(&permits, scope, at: now + .seconds(59)) == 0, "the breaker is open")
    var change = CircuitBreaker.Change.none
    for _ in 0..<CircuitBreaker.probes {
      guard let ticket = ticket(&permits, scope, at: now + .seconds(60)) else { break }
      change = permits.end(ticket, Self.delivered, at: now + .seconds(60))
      _ = permits.release(scope)
    }
    return change
  }

  @Test func `a topic whose breaker closes again does not slow its project`() {
    var permits = permits()
    _ = passed(&permits, project, at: start)
    let now = start + .seconds(120)
    #expect(fallAndRise(&permits, news, at: now) == .closed)
    #expect(passed(&permits, project, at: now + .seconds(60)) == 90, "the probes have taken ten")
    #expect(passed(&permits, project, at: now + .seconds(61)) == 100)
  }

  @Test func `a project whose breaker closes again begins with a tenth, and its topics with it`() {
    var permits = permits()
    _ = passed(&permits, project, at: start)
    let now = start + .seconds(120)
    #expect(fallAndRise(&permits, project, at: now) == .closed)
    #expect(passed(&permits, news, at: now + .seconds(60)) == 0)
    #expect((10...11).contains(passed(&permits, news, at: now + .seconds(61))))
  }

  @Test func `a topic's trouble and pause stop no other topic, and not the project`() {
    var permits = permits()
    _ = passed(&permits, project, at: start)
    let now = start + .seconds(120)
    _ = passed(&permits, news, .throttled(reason: "429", until: .seconds(60)), atMost: 1, at: now)
    #expect(passed(&permits, news, at: now) == 0)
    #expect(passed(&permits, sport, atMost: 10, at: now) == 10)
    #expect(passed(&permits, project, at: now) == 89)
  }

  @Test func `a share of fewer or more processes holds for scopes of now and later`() {
    var permits = permits()
    _ = passed(&permits, project, at: start)
    permits.setConsumers(4, rate: 25, at: start + .seconds(120))
    #expect(passed(&permits, project, at: start + .seconds(121)) == 25)
    #expect(passed(&permits, news, at: start + .seconds(122)) == 25)
    #expect(passed(&permits, other, at: start + .seconds(122)) == 0)
    #expect(passed(&permits, other, at: start + .seconds(242)) == 25)
  }

  @Test func `a kind is forgotten with the last of its scopes, and no earlier`() {
    var permits = permits(maximumScopes: 8)
    for number in 0..<100 { _ = passed(&permits, ProviderScope("kind\(number):a"), at: start + .seconds(number)) }
    #expect(permits.kindCount <= 8)
    // Of a thousand topics nearly all are forgotten: what they took is taken.
    let now = start + .seconds(400)
    _ = passed(&permits, news, at: start + .seconds(200))
    #expect(passed(&permits, news, at: now) == 100)
    for number in 0..<1_000 { #expect(passed(&permits, ProviderScope("fcm:topic/\(number)"), at: now) == 0) }
    #expect(permits.scopeCount <= 8)
    #expect(passed(&permits, project, at: now + .seconds(1)) == 100)
  }

  @Test func `many small scopes of one share that are silent leave the others their permits`() throws {
    var permits = ScopePermits(count: 200, rate: nil, maximumScopes: 64, jitter: FullJitter { 0.5 }) { now in
      ScopeControl(sparesQuarterHours: false, jitter: FullJitter { 0.5 }, now: now)
    }
    // A tenth of the calls are of twenty hosts of one push service.
    let hosts = (0..<20).map { ProviderScope("push:\($0).silent.example", share: "push:silent.example") }
    var (silent, setAside) = (0, 0)
    for number in 0..<1_000 {
      let now = start + .milliseconds(10 * number)
      for _ in 0..<9 {
        let ticket = try #require(ticket(&permits, other, at: now), "\(number): \(silent) are in flight")
        _ = permits.end(ticket, Self.delivered, at: now + .milliseconds(1))
        _ = permits.release(other)
      }
      switch permits.step(for: hosts[number % 20], isRetry: false, atHead: true, at: now, date: .now) {
      case .decided(.admitted): silent += 1
      case .decided(.setAside): setAside += 1
      case let step: Issue.record("\(step)")
      }
    }
    #expect(silent == 50 && setAside == 950)
  }

  @Test func `a share is forgotten with the last of its scopes, and no earlier`() {
    var permits = permits(maximumScopes: 8)
    for number in 0..<100 {
      _ = passed(&permits, ProviderScope("push:\(number)", share: "push:\(number / 2)"), at: start + .seconds(number))
    }
    #expect(permits.scopeCount <= 8 && permits.shareCount <= permits.scopeCount)
    for number in 0..<100 {
      _ = passed(&permits, ProviderScope("fcm:topic/\(number)", share: "fcm:topic"), at: start + .seconds(200 + number))
    }
    #expect(permits.shareCount == 1)
  }

  @Test(arguments: [
    DeliveryResult.postponed(reason: "stopped", after: .seconds(60)), .abandoned,
    .throttled(reason: "429", until: .zero), .rejected(reason: "payload above 4096 bytes", wasAsked: false),
  ])
  func `calls that were never made do not make the others slow`(_ result: DeliveryResult) throws {
    var permits = ScopePermits(count: 8, rate: nil, maximumScopes: 64, jitter: FullJitter { 0.5 }) { now in
      ScopeControl(sparesQuarterHours: false, jitter: FullJitter { 0.5 }, now: now)
    }
    var now = start
    func call(_ scope: ProviderScope, _ result: DeliveryResult, for time: Duration) throws {
      let ticket = try #require(ticket(&permits, scope, at: now))
      now += time
      _ = permits.end(ticket, result, at: now)
      _ = permits.release(scope)
    }
    for _ in 0..<64 { try call(news, Self.delivered, for: .milliseconds(100)) }
    for _ in 0..<200 { try call(other, result, for: .microseconds(1)) }
    // It takes as long as ever, and may have more than a quarter.
    for _ in 0..<4 {
      #expect(ticket(&permits, news, at: now) != nil)
      now += .milliseconds(10)
    }
  }
}
