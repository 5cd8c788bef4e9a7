import Foundation
import Testing

@testable import Dispatching

/// Parts of a provider that has limits and troubles of its own as well, and calls that wait beside the others.
@Suite struct DomainPermitsTests {
  private let start = ContinuousClock.now
  private let slow = ProviderScope("mail:slow.example", provider: "mail")
  private let other = ProviderScope("mail:other.example", provider: "mail")
  private static let trouble = DeliveryResult.retry(reason: "451", first: .seconds(10), isProviderTrouble: true)
  private static let delivered = DeliveryResult.delivered(providerID: "p")

  private func permits(
    _ count: Int = 4,
    rate: Double? = nil,
    scopeRate: Double? = nil,
    maximumScopes: Int = 64
  ) -> ScopePermits {
    ScopePermits(
      count: count,
      rate: rate,
      scopeRate: scopeRate,
      slowFrom: .milliseconds(100),
      maximumScopes: maximumScopes,
      jitter: FullJitter { 0.5 }
    ) { now in
      ScopeControl(sparesQuarterHours: false, slowsDown: true, jitter: FullJitter { 0.5 }, now: now)
    }
  }

  private func step(
    _ permits: inout ScopePermits,
    _ scope: ProviderScope,
    atHead: Bool = true,
    at now: ContinuousClock.Instant
  ) -> ScopePermits.Step {
    permits.step(for: scope, isRetry: false, atHead: atHead, at: now, date: Date(timeIntervalSince1970: 0))
  }

  private func ticket(
    _ permits: inout ScopePermits,
    _ scope: ProviderScope,
    at now: ContinuousClock.Instant
  ) -> ProviderControl.Ticket? {
    guard case .decided(.admitted(let ticket)) = step(&permits, scope, at: now) else { return nil }
    return ticket
  }

  private func reason(
    _ permits: inout ScopePermits,
    _ scope: ProviderScope,
    at now: ContinuousClock.Instant
  ) -> Postponement.Reason? {
    guard case .decided(.postponed(let postponement)) = step(&permits, scope, at: now) else { return nil }
    return postponement.reason
  }

  private func call(
    _ permits: inout ScopePermits,
    _ scope: ProviderScope,
    _ result: DeliveryResult = Self.delivered,
    at now: ContinuousClock.Instant,
    takes: Duration = .milliseconds(5)
  ) throws -> (change: CircuitBreaker.Change, scope: ProviderScope) {
    let ticket = try #require(ticket(&permits, scope, at: now))
    let finished = permits.finish(ticket, result, at: now + takes)
    _ = permits.release(ticket)
    return finished
  }

  // MARK: The provider as a whole

  @Test func `trouble of the whole stops all parts, is told once, and is no part's`() throws {
    var permits = permits()
    for number in 0..<99 {
      let domain = ProviderScope("mail:\(number).example", provider: "mail")
      #expect(try call(&permits, domain, .ofProvider(Self.trouble), at: start).change == .none)
    }
    let last = try call(&permits, slow, .ofProvider(Self.trouble), at: start)
    #expect(last.change == .opened && last.scope == ProviderScope("mail"))
    #expect(reason(&permits, other, at: start) == .breaker)
    // Ten probes, of any part.
    let now = start + .seconds(61)
    for number in 1...10 {
      let probe = try call(&permits, number == 1 ? slow : other, at: now)
      #expect(probe.change == (number == 10 ? .closed : .none) && (number < 10 || probe.scope.description == "mail"))
    }
    #expect(ticket(&permits, other, at: now) != nil)
  }

  @Test func `where all that is remembered is slowed, a new part and the whole are remembered all the same`() throws {
    var permits = permits(maximumScopes: 8)
    let throttled = DeliveryResult.throttled(reason: "450 too many", until: .seconds(60))
    for number in 0..<40 {
      let domain = ProviderScope("mail:\(number).example", provider: "mail")
      #expect(try call(&permits, domain, throttled, at: start).change == .paused(.seconds(60)))
      #expect(reason(&permits, domain, at: start) == .throttled)
      #expect(permits.scopeCount <= 8)
    }
    for number in 0..<100 {
      let domain = ProviderScope("mail:late-\(number).example", provider: "mail")
      let finished = try call(&permits, domain, .ofProvider(Self.trouble), at: start + .seconds(120))
      #expect(finished.change == (number == 99 ? .opened : .none))
    }
  }

  @Test func `trouble of a part stops that alone`() throws {
    var permits = permits()
    for number in 1...100 {
      let finished = try call(&permits, slow, Self.trouble, at: start)
      #expect(finished.change == (number == 100 ? .opened : .none) && finished.scope == slow)
    }
    #expect(reason(&permits, slow, at: start) == .breaker)
    for _ in 0..<200 { #expect(try call(&permits, other, at: start).change == .none) }
  }

  @Test func `too many of a part pause it alone, and slow it afterwards; too many of the whole pause all`() throws {
    var permits = permits()
    for number in 0..<600 { _ = try call(&permits, slow, at: start + .milliseconds(100 * number)) }
    var now = start + .seconds(60)
    let throttled = DeliveryResult.throttled(reason: "421 4.7.28", until: .seconds(60))
    #expect(try call(&permits, slow, throttled, at: now).change == .paused(.seconds(60)))
    #expect(reason(&permits, slow, at: now + .seconds(59)) == .throttled)
    #expect(try call(&permits, other, at: now).change == .none)
    now += .seconds(61)
    var passed = 0
    for tick in 0..<100 {
      while let ticket = ticket(&permits, slow, at: now + .milliseconds(100 * tick)) {
        _ = permits.finish(ticket, Self.delivered, at: now + .milliseconds(100 * tick))
        _ = permits.release(ticket)
        passed += 1
      }
    }
    // It had ten a second; half of that and, after the pause's minute, half as much again.
    #expect((70...90).contains(passed), "\(passed) in ten seconds")
    #expect(reason(&permits, slow, at: now + .milliseconds(9_900)) == .pace)
    now += .seconds(60)
    let all = try call(&permits, other, .ofProvider(throttled), at: now)
    #expect(all.change == .paused(.seconds(60)) && all.scope.description == "mail")
    #expect(reason(&permits, slow, at: now) == .throttled && reason(&permits, other, at: now) == .throttled)
  }

  @Test func `each part has its rate, and all together the provider's`() throws {
    var permits = permits(1_000, rate: 30, scopeRate: 10)
    let domains = (0..<5).map { ProviderScope("mail:\($0).example", provider: "mail") }
    // A start is slow.
    for domain in domains { #expect(ticket(&permits, domain, at: start) == nil) }
    let now = start + .seconds(120)
    var passed: [ProviderScope: Int] = [:]
    for domain in domains {
      while let ticket = ticket(&permits, domain, at: now) {
        passed[domain, default: 0] += 1
        _ = permits.finish(ticket, Self.delivered, at: now)
        _ = permits.release(ticket)
      }
    }
    #expect(passed.values.allSatisfy { $0 <= 10 } && passed.count == 3)
    #expect((29...30).contains(passed.values.reduce(0, +)))
  }

  @Test func `a call that was not made is taken back from both`() throws {
    var permits = permits()
    for _ in 0..<100 { _ = try call(&permits, slow, .ofProvider(Self.trouble), at: start) }
    let now = start + .seconds(61)
    for _ in 0..<50 {
      let probe = try #require(ticket(&permits, other, at: now))
      permits.cancel(probe)
      _ = permits.release(probe)
    }
    #expect(ticket(&permits, other, at: now) != nil, "none of the ten probes was used up")
  }

  // MARK: Calls that wait beside the others

  @Test func `the slow part's call leaves its permit to the others, and it gets no other until that is answered`()
    throws
  {
    var permits = permits()
    for number in 0..<64 { _ = try call(&permits, other, at: start + .milliseconds(number)) }
    let now = start + .seconds(1)
    let late = try #require(ticket(&permits, slow, at: now))
    #expect(permits.leave(late, after: .milliseconds(200), at: now + .milliseconds(200)) == nil, "it is not slow yet")
    let then = now + .seconds(1)
    #expect(step(&permits, slow, atHead: false, at: then).waitsForScope)
    #expect(permits.leave(late, after: .seconds(1), at: then) != nil)
    #expect(permits.leave(late, after: .seconds(1), at: then) == nil, "once")
    // All four are the others'.
    var tickets: [ProviderControl.Ticket] = []
    for _ in 0..<4 { tickets.append(try #require(ticket(&permits, other, at: then))) }
    guard case .waitForAny = step(&permits, other, at: then) else {
      Issue.record("a fifth permit")
      return
    }
    guard case .decided(.setAside) = step(&permits, slow, at: then) else {
      Issue.record("the slow part is not held back")
      return
    }
    guard case .decided(.postponed(let wait)) = step(&permits, slow, atHead: false, at: then), wait.reason == .busy
    else {
      Issue.record("a mail waits in line for the slow part")
      return
    }
    // What comes back is no permit more.
    _ = permits.finish(late, Self.delivered, at: then)
    _ = permits.release(late)
    guard case .waitForAny = step(&permits, other, at: then) else {
      Issue.record("a permit came of nothing")
      return
    }
    for ticket in tickets { _ = permits.release(ticket) }
    for _ in 0..<4 { #expect(ticket(&permits, other, at: then) != nil) }
  }

  @Test func `a part that is alone keeps its permits, for ten seconds each`() throws {
    var permits = permits()
    let tickets = try (0..<4).map { _ in try #require(ticket(&permits, slow, at: start)) }
    for ticket in tickets { #expect(permits.leave(ticket, after: .seconds(9), at: start + .seconds(9)) == nil) }
    for ticket in tickets { #expect(permits.leave(ticket, after: .seconds(10), at: start + .seconds(10)) != nil) }
    #expect(ticket(&permits, other, at: start + .seconds(10)) != nil)
  }

  @Test func `a part with sixteen calls beside the others gets no more`() throws {
    var permits = permits()
    var now = start
    var aside = 0
    while let ticket = ticket(&permits, slow, at: now), aside < 100 {
      now += .seconds(10)
      #expect(permits.leave(ticket, after: .seconds(10), at: now) != nil)
      aside += 1
    }
    #expect(aside == 16)
    #expect(ticket(&permits, other, at: now) != nil)
  }

  @Test func `times that differ by less than a tenth of a second make no part slow`() throws {
    var permits = permits()
    for number in 0..<64 {
      _ = try call(&permits, other, at: start + .milliseconds(number))
      if number % 4 == 0 { _ = try call(&permits, slow, at: start + .milliseconds(number), takes: .milliseconds(90)) }
    }
    let now = start + .seconds(1)
    for _ in 0..<4 { #expect(ticket(&permits, slow, at: now + .milliseconds(900)) != nil) }
  }
}
