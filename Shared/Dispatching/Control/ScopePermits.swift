import DequeModule
import Foundation

/// The permits of a provider's connections, shared by its scopes, and who waits for one.
///
/// A share, which is a scope or many small ones, is slow if it holds a quarter of all permits, has no more than half of the calls, and
/// takes twice as long as a call does on the average, or has ended none for as long. It gets no more then, a few wait for the permits
/// that come back, and the rest is postponed. So what is slow or silent leaves the others their permits, and a share that is alone may
/// have them all.
///
/// A call that is long in being answered may leave its permit to others, and still counts as its share's: see ``leave(_:after:at:)``.
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

    var waitsForAny: Bool {
      if case .waitForAny = self { true } else { false }
    }

    var waitsForScope: Bool {
      if case .waitForScope = self { true } else { false }
    }
  }

  /// What scopes with one share of the permits have together.
  fileprivate final class Share {
    let kind: ScopeKind
    var used = 0
    /// Calls in flight that have left their permit to others.
    var aside = 0
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
  private let slowFrom: Duration
  private let maximumScopes: Int
  private let jitter: FullJitter
  /// The permits beside ``free`` that each call needs, where several workers share some.
  private let shared: SharedPermits.Member?
  /// The quota, where several workers share it; nil: each kind of scopes has one of its own.
  private let quota: SharedTokens.Member?
  private let makeControl: @Sendable (ContinuousClock.Instant) -> ScopeControl?

  /// Calls a second of this process, in the scopes of each kind; nil: as many as there are.
  private var rate: Double?
  /// The same of each scope that is a part.
  private var scopeRate: Double?
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
  /// Calls that have left their permit to others, by their numbers.
  private var aside: Set<Int> = []

  /// A call that waits for so long leaves its permit, whoever else is slow.
  static let patience: Duration = .seconds(10)
  /// A share that has so many calls aside gets no more, though they may be all that there are.
  static let mostAside = 16

  /// So many calls tell which part of them a share has; then all counts are halved.
  private static let remembered = 4_096

  init(
    count: Int,
    rate: Double?,
    scopeRate: Double? = nil,
    slowFrom: Duration = .zero,
    maximumScopes: Int,
    jitter: FullJitter,
    shared: SharedPermits.Member? = nil,
    quota: SharedTokens.Member? = nil,
    makeControl: @escaping @Sendable (ContinuousClock.Instant) -> ScopeControl?
  ) {
    self.count = count
    self.rate = rate
    self.scopeRate = scopeRate
    self.slowFrom = slowFrom
    free = count
    self.maximumScopes = maximumScopes
    self.jitter = jitter
    self.shared = shared
    self.quota = quota
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
    // Before its part, so that to make room for the part forgets it not.
    let whole = whole(of: name, at: now)
    let scope = entry(name, at: now)
    if let refusal = whole?.control?.refusal(isRetry: isRetry, at: now, date: date()) {
      return .decided(.postponed(refusal))
    }
    if let refusal = scope.control?.refusal(isRetry: isRetry, at: now, date: date()) {
      return .decided(.postponed(refusal))
    }
    let share = scope.share
    if isSlow(share, at: now) {
      if atHead { return .decided(.setAside) }
      // Beside a call that may be long in being answered nobody waits: who does holds a message, and there may be many such shares.
      guard share.aside == 0, share.line.count < longestLine else {
        return .decided(.postponed(Postponement(reason: .busy, after: jitter.wait(upTo: ScopeControl.longestWait))))
      }
      return .waitForScope
    }
    guard free > 0 else { return .waitForAny }
    if let wait = scope.kind.bucket?.take(at: now) {
      return .decided(.notYet(wait, isMajor: scope.kind.begun * 2 >= begun))
    }
    if let shared, !shared.take() {
      scope.kind.bucket?.giveBack()
      return .waitForAny
    }
    let call = scope.control?.begin(isRetry: isRetry, at: now)
    let wholeCall = whole?.control?.begin(isRetry: isRetry, at: now)
    take(scope, at: now)
    return .decided(
      .admitted(ProviderControl.Ticket(scope: name, call: call, wholeCall: wholeCall, begunAt: now, number: uses))
    )
  }

  /// Whether what was to be waited for has not come yet.
  func isStill(_ step: Step, for name: ProviderScope, at now: ContinuousClock.Instant) -> Bool {
    switch step {
    case .decided: false
    case .waitForAny: free == 0 || shared?.isExhausted == true
    case .waitForScope: shares[name.share].map { $0.aside == 0 && isSlow($0, at: now) } ?? false
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
    if share.aside >= Self.mostAside { return true }
    // Before any call has ended there is nothing to compare with.
    guard share.used >= slowShare, share.begun * 2 <= begun, let usual = latency.seconds else { return false }
    let silence = share.lastChange.map { (now - $0) / .seconds(1) } ?? 0
    let least = slowFrom / .seconds(1)
    return share.latency.seconds ?? 0 >= max(2 * usual, least) || silence >= max(2 * usual, 10 * least)
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
    if let wholeCall = ticket.wholeCall { whole(of: ticket.scope, at: ticket.begunAt)?.control?.cancel(wholeCall) }
  }

  /// - Returns: Whether the scope's breaker opens or closes, or a pause begins.
  mutating func end(
    _ ticket: ProviderControl.Ticket,
    _ result: DeliveryResult,
    at now: ContinuousClock.Instant
  ) -> CircuitBreaker.Change {
    finish(ticket, result, at: now).change
  }

  /// - Returns: Whether a breaker opens or closes, or a pause begins, and in which scope: the whole provider comes first.
  mutating func finish(
    _ ticket: ProviderControl.Ticket,
    _ result: DeliveryResult,
    at now: ContinuousClock.Instant
  ) -> (change: CircuitBreaker.Change, scope: ProviderScope) {
    // None is forgotten while a call of it is in flight.
    guard let scope = find(ticket.scope) else { return (.none, ticket.scope) }
    // Else what is never sent, and ends at once, makes all others slow.
    if result.tellsOfProvider {
      let seconds = (now - ticket.begunAt) / .seconds(1)
      latency.add(seconds)
      scope.share.latency.add(seconds)
      scope.share.lastChange = now
    }
    guard let call = ticket.call else { return (.none, ticket.scope) }
    switch result {
    // It was not made.
    case .postponed, .abandoned, .rejected(_, _, _, wasAsked: false): scope.kind.bucket?.giveBack()
    default: break
    }
    guard let wholeCall = ticket.wholeCall, let whole = whole(of: ticket.scope, at: now) else {
      let change = scope.control?.end(call, result, at: now) ?? .none
      // That a part works again is no start of the whole.
      if change == .closed, ticket.scope.isWhole { scope.kind.bucket?.restart(at: now) }
      return (change, ticket.scope)
    }
    let change = scope.control?.end(call, result.ofScope, at: now) ?? .none
    let wholeChange = whole.control?.end(wholeCall, result.ofWhole, at: now) ?? .none
    if wholeChange == .closed { scope.kind.bucket?.restart(at: now) }
    return wholeChange == .none ? (change, ticket.scope) : (wholeChange, Self.name(ofWhole: ticket.scope))
  }

  /// Lets others have the permit of a call that waits for its answer, if it has waited for long, or its share is slow beside them.
  ///
  /// - Returns: Who looks again whether there is a permit, and all that wait for the share's; nil: the call keeps its own.
  mutating func leave(
    _ ticket: ProviderControl.Ticket,
    after waited: Duration,
    at now: ContinuousClock.Instant
  ) -> [Waiter]? {
    guard let share = find(ticket.scope)?.share, !aside.contains(ticket.number) else { return nil }
    guard waited >= Self.patience || (waited >= slowFrom && isSlow(share, at: now)) else { return nil }
    aside.insert(ticket.number)
    share.aside += 1
    free += 1
    shared?.giveBack()
    defer { share.line.removeAll() }
    return next(for: nil) + share.line
  }

  /// Gives the permit back, if the call still has it.
  ///
  /// - Returns: Who looks again whether there is one.
  mutating func release(_ ticket: ProviderControl.Ticket) -> [Waiter] {
    guard aside.remove(ticket.number) != nil else { return release(ticket.scope) }
    guard let scope = find(ticket.scope) else { return [] }
    scope.used -= 1
    scope.share.used -= 1
    scope.share.aside -= 1
    return scope.share.line.popFirst().map { [$0] } ?? []
  }

  /// Gives a permit back.
  ///
  /// - Returns: Who looks again whether there is one.
  mutating func release(_ name: ProviderScope) -> [Waiter] {
    free += 1
    shared?.giveBack()
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

  mutating func setConsumers(
    _ consumers: Int,
    rate: Double?,
    scopeRate: Double? = nil,
    at now: ContinuousClock.Instant
  ) {
    self.consumers = consumers
    self.rate = rate
    if scopeRate != self.scopeRate {
      self.scopeRate = scopeRate
      for (name, scope) in scopes where !name.isWhole { scope.control?.setMost(scopeRate, at: now) }
    }
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
    return add(name, at: now)
  }

  private mutating func add(_ name: ProviderScope, at now: ContinuousClock.Instant) -> Scope {
    if scopes.count >= maximumScopes { forgetOldest(at: now, for: name) }
    let scope = Scope(share: share(of: name, at: now), control: makeControl(now))
    if !name.isWhole { scope.control?.setMost(scopeRate, at: now) }
    scope.lastUse = uses
    scopes[name] = scope
    return scope
  }

  /// The provider as a whole, if it has limits and troubles of its own; it has no permits.
  private mutating func whole(of name: ProviderScope, at now: ContinuousClock.Instant) -> Scope? {
    guard name.provider != nil else { return nil }
    let name = Self.name(ofWhole: name)
    guard let scope = scopes[name] else { return add(name, at: now) }
    scope.lastUse = uses
    return scope
  }

  private static func name(ofWhole name: ProviderScope) -> ProviderScope {
    name.provider.map { ProviderScope($0) } ?? name
  }

  private mutating func share(of name: ProviderScope, at now: ContinuousClock.Instant) -> Share {
    if let share = shares[name.share] { return share }
    let share = Share(kind: kind(String(name.kind), at: now))
    shares[name.share] = share
    return share
  }

  private mutating func kind(_ name: String, at now: ContinuousClock.Instant) -> ScopeKind {
    if let kind = kinds[name] { return kind }
    let kind = ScopeKind(bucket: rate.map { quota ?? SharedTokens(rate: $0, now: now).member() })
    kinds[name] = kind
    return kind
  }

  /// Forgets an eighth of the scopes, none that is in use, and the shares that are nobody's then. A provider as a whole is in use with
  /// any part of it, and with the one that is to be added.
  private mutating func forgetOldest(at now: ContinuousClock.Instant, for added: ProviderScope) {
    var inUse = Set(scopes.lazy.filter { $0.value.used > 0 }.map { Self.name(ofWhole: $0.key) })
    inUse.insert(Self.name(ofWhole: added))
    let idle = scopes.filter { $0.value.used == 0 && !inUse.contains($0.key) }.sorted { one, other in
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
