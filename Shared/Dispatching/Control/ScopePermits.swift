import DequeModule
import Foundation

/// The permits of a provider's connections, shared by its scopes, and who waits for one.
///
/// A share, which is a scope or many small ones, is slow if it holds a quarter of all permits, has no more than half of the calls, and
/// takes twice as long as a call does on the average, or has ended none for as long. It gets no more then, a few wait for the permits
/// that come back, and the rest is postponed. So what is slow or silent leaves the others their permits, and a share that is alone may
/// have them all.
///
/// A quota is that of all scopes of one kind: what goes to a topic of FCM counts for its project.
///
/// Not Sendable: ``ProviderControl`` keeps it behind its lock.
struct ScopePermits {
  typealias Waiter = CheckedContinuation<Void, Never>

  enum Step: Sendable {
    case decided(ProviderControl.Admission)
    case waitForAny
    case waitForScope

    /// Whether no permit is left for others.
    var takesPermit: Bool {
      switch self {
      case .decided(.admitted), .waitForAny: true
      case .decided, .waitForScope: false
      }
    }

    var waitsForScope: Bool {
      if case .waitForScope = self { true } else { false }
    }
  }

  /// What scopes with one share of the permits have together.
  fileprivate final class Share {
    let kind: ScopeKind
    var used = 0
    /// Calls that were begun of late.
    var begun = 0
    var latency = AverageTime(over: 16)
    /// When a call was answered, or the first of those in flight began.
    var lastChange: ContinuousClock.Instant?
    var line: Deque<Waiter> = []

    init(kind: ScopeKind) {
      self.kind = kind
    }
  }

  fileprivate final class Scope {
    let share: Share
    var control: ScopeControl?
    var used = 0
    var lastUse = 0

    init(share: Share, control: ScopeControl?) {
      (self.share, self.control) = (share, control)
    }

    var kind: ScopeKind { share.kind }
  }

  private let count: Int
  private let maximumScopes: Int
  private let jitter: FullJitter
  private let makeControl: @Sendable (ContinuousClock.Instant) -> ScopeControl?

  /// Calls a second of this process, in the scopes of each kind; nil: as many as there are.
  private var rate: Double?
  private var kinds: [String: ScopeKind] = [:]
  private var free: Int
  private(set) var consumers = 1
  private var scopes: [ProviderScope: Scope] = [:]
  /// The scope that was asked for last, for most calls in a row are one's.
  private var latest: (name: ProviderScope, scope: Scope)?
  private var shares: [String: Share] = [:]
  /// Of all scopes.
  private var begun = 0
  /// Looks at scopes; also the order of their last uses.
  private(set) var uses = 0
  /// Of all scopes' calls.
  private var latency = AverageTime(over: 64)
  private var line: Deque<Waiter> = []

  /// So many calls tell which part of them a share has; then all counts are halved.
  private static let remembered = 4_096

  init(
    count: Int,
    rate: Double?,
    maximumScopes: Int,
    jitter: FullJitter,
    makeControl: @escaping @Sendable (ContinuousClock.Instant) -> ScopeControl?
  ) {
    self.count = count
    self.rate = rate
    free = count
    self.maximumScopes = maximumScopes
    self.jitter = jitter
    self.makeControl = makeControl
  }

  var scopeCount: Int { scopes.count }

  var shareCount: Int { shares.count }

  var kindCount: Int { kinds.count }

  /// Permits that a slow share keeps.
  private var slowShare: Int { max(1, count / 4) }

  /// So many may wait for the permits of a slow share: what they wait for comes soon.
  private var longestLine: Int { max(1, slowShare / 2) }

  // MARK: Deciding

  /// What is done with a target of the scope now.
  mutating func step(
    for name: ProviderScope,
    isRetry: Bool,
    atHead: Bool,
    at now: ContinuousClock.Instant,
    date: @autoclosure () -> Date
  ) -> Step {
    let scope = entry(name, at: now)
    if let refusal = scope.control?.refusal(isRetry: isRetry, at: now, date: date()) {
      return .decided(.postponed(refusal))
    }
    let share = scope.share
    if isSlow(share, at: now) {
      if atHead { return .decided(.setAside) }
      guard share.line.count < longestLine else {
        return .decided(.postponed(Postponement(reason: .busy, after: jitter.wait(upTo: ScopeControl.longestWait))))
      }
      return .waitForScope
    }
    guard free > 0 else { return .waitForAny }
    if let wait = scope.kind.bucket?.take(at: now) {
      return .decided(.notYet(wait, isMajor: scope.kind.begun * 2 >= begun))
    }
    let call = scope.control?.begin(isRetry: isRetry, at: now)
    take(scope, at: now)
    return .decided(.admitted(ProviderControl.Ticket(scope: name, call: call, begunAt: now)))
  }

  /// Whether what was to be waited for has not come yet.
  func isStill(_ step: Step, for name: ProviderScope, at now: ContinuousClock.Instant) -> Bool {
    switch step {
    case .decided: false
    case .waitForAny: free == 0
    case .waitForScope: shares[name.share].map { isSlow($0, at: now) } ?? false
    }
  }

  mutating func join(_ waiter: Waiter, _ step: Step, of name: ProviderScope) {
    if case .waitForScope = step, let share = shares[name.share] {
      share.line.append(waiter)
    } else {
      line.append(waiter)
    }
  }

  private func isSlow(_ share: Share, at now: ContinuousClock.Instant) -> Bool {
    // Before any call has ended there is nothing to compare with.
    guard share.used >= slowShare, share.begun * 2 <= begun, let usual = latency.seconds else { return false }
    let silence = share.lastChange.map { (now - $0) / .seconds(1) } ?? 0
    return max(share.latency.seconds ?? 0, silence) >= 2 * usual
  }

  private mutating func take(_ scope: Scope, at now: ContinuousClock.Instant) {
    let share = scope.share
    free -= 1
    if share.used == 0 { share.lastChange = now }
    scope.used += 1
    share.used += 1
    share.begun += 1
    share.kind.begun += 1
    begun += 1
    guard begun >= Self.remembered else { return }
    begun = 0
    for kind in kinds.values { kind.begun = 0 }
    for share in shares.values {
      share.begun = (share.begun + 1) / 2
      share.kind.begun += share.begun
      begun += share.begun
    }
  }

  // MARK: Giving back

  mutating func cancel(_ ticket: ProviderControl.Ticket) {
    guard let scope = find(ticket.scope), let call = ticket.call else { return }
    scope.kind.bucket?.giveBack()
    scope.control?.cancel(call)
  }

  /// - Returns: Whether the scope's breaker opens or closes, or a pause begins.
  mutating func end(
    _ ticket: ProviderControl.Ticket,
    _ result: DeliveryResult,
    at now: ContinuousClock.Instant
  ) -> CircuitBreaker.Change {
    // None is forgotten while a call of it is in flight.
    guard let scope = find(ticket.scope) else { return .none }
    // Else what is never sent, and ends at once, makes all others slow.
    if result.tellsOfProvider {
      let seconds = (now - ticket.begunAt) / .seconds(1)
      latency.add(seconds)
      scope.share.latency.add(seconds)
      scope.share.lastChange = now
    }
    guard let call = ticket.call else { return .none }
    switch result {
    // It was not made.
    case .postponed, .abandoned, .rejected(_, _, _, wasAsked: false): scope.kind.bucket?.giveBack()
    default: break
    }
    let change = scope.control?.end(call, result, at: now) ?? .none
    // That a part works again is no start of the whole.
    if change == .closed, ticket.scope.isWhole { scope.kind.bucket?.restart(at: now) }
    return change
  }

  /// Gives a permit back.
  ///
  /// - Returns: Who looks again whether there is one.
  mutating func release(_ name: ProviderScope) -> [Waiter] {
    free += 1
    if let scope = find(name) {
      scope.used -= 1
      scope.share.used -= 1
    }
    return next(for: name)
  }

  /// The first that waits for any permit, and the first that waits for one of the scope's share; nil: of none.
  mutating func next(for name: ProviderScope?) -> [Waiter] {
    var next: [Waiter] = []
    if let first = line.popFirst() { next.append(first) }
    // The scope may be forgotten meanwhile, and its share not.
    if let name, let first = (find(name)?.share ?? shares[name.share])?.line.popFirst() { next.append(first) }
    return next
  }

  // MARK: Scopes

  mutating func setConsumers(_ consumers: Int, rate: Double?, at now: ContinuousClock.Instant) {
    self.consumers = consumers
    self.rate = rate
    guard let rate else { return }
    for kind in kinds.values { kind.bucket?.setRate(rate, at: now) }
  }

  private mutating func find(_ name: ProviderScope) -> Scope? {
    if let latest, latest.name == name { return latest.scope }
    guard let scope = scopes[name] else { return nil }
    latest = (name, scope)
    return scope
  }

  private mutating func entry(_ name: ProviderScope, at now: ContinuousClock.Instant) -> Scope {
    uses += 1
    if let scope = find(name) {
      scope.lastUse = uses
      return scope
    }
    if scopes.count >= maximumScopes { forgetOldest(at: now) }
    let scope = Scope(share: share(of: name, at: now), control: makeControl(now))
    scope.lastUse = uses
    scopes[name] = scope
    return scope
  }

  private mutating func share(of name: ProviderScope, at now: ContinuousClock.Instant) -> Share {
    if let share = shares[name.share] { return share }
    let share = Share(kind: kind(String(name.kind), at: now))
    shares[name.share] = share
    return share
  }

  private mutating func kind(_ name: String, at now: ContinuousClock.Instant) -> ScopeKind {
    if let kind = kinds[name] { return kind }
    let kind = ScopeKind(rate: rate, now: now)
    kinds[name] = kind
    return kind
  }

  /// Forgets an eighth of the scopes, none that is in use, and the shares that are nobody's then.
  private mutating func forgetOldest(at now: ContinuousClock.Instant) {
    let idle = scopes.filter { $0.value.used == 0 }.sorted { one, other in
      // What a provider is spared from is forgotten last.
      let (isQuiet, otherIsQuiet) = (one.value.isQuiet(at: now), other.value.isQuiet(at: now))
      return isQuiet == otherIsQuiet ? one.value.lastUse < other.value.lastUse : isQuiet
    }
    for (name, _) in idle.prefix(max(1, maximumScopes / 8)) { scopes[name] = nil }
    latest = nil
    let left = Set(scopes.keys.map(\.share))
    for (name, share) in shares where share.line.isEmpty && !left.contains(name) {
      begun -= share.begun
      share.kind.begun -= share.begun
      shares[name] = nil
    }
    let kindsLeft = Set(shares.values.map { ObjectIdentifier($0.kind) })
    kinds = kinds.filter { kindsLeft.contains(ObjectIdentifier($0.value)) }
  }
}

extension ScopePermits.Scope {
  fileprivate func isQuiet(at now: ContinuousClock.Instant) -> Bool { control?.isQuiet(at: now) ?? true }
}
