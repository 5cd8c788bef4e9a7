import Foundation
import Synchronization

/// Decides when a channel's provider is asked, for each of its scopes by itself; how permits and quotas are shared is ``ScopePermits``'.
///
/// One for each ``DispatchWorker``: what a provider does holds no other one up.
final class ProviderControl: Sendable {
  /// What a target with a turn gets.
  enum Admission: Sendable {
    /// It may be tried; the ticket is given back after that.
    case admitted(Ticket)
    /// Its scope is slow, and others come first.
    case setAside
    /// There will be a token; `isMajor`: most of what there is to do needs one.
    case notYet(Duration, isMajor: Bool)
    case postponed(Postponement)
  }

  /// A permit, with the call that may be made.
  struct Ticket: Sendable {
    let scope: ProviderScope
    let call: ScopeControl.Call?
    /// The same for the provider as a whole, if that has limits and troubles of its own.
    let wholeCall: ScopeControl.Call?
    let begunAt: ContinuousClock.Instant
    let number: Int
  }

  private let settings: ControlSettings?
  private let jitter: FullJitter
  private let shared: SharedPermits.Member?
  private let state: Mutex<ScopePermits>

  /// - Parameters:
  ///   - settings: Nil: the provider has permits alone.
  ///   - shared: Where it has its permits together with others: each of its own takes one of these, too.
  ///   - quota: Where it has its quota together with others.
  ///   - maximumScopes: Of more, those that were not used for longest are forgotten.
  init(
    concurrency: Int,
    settings: ControlSettings? = nil,
    shared: SharedPermits.Member? = nil,
    quota: SharedTokens.Member? = nil,
    maximumScopes: Int = 1_024,
    jitter: FullJitter = FullJitter()
  ) {
    self.settings = settings
    self.jitter = jitter
    self.shared = shared
    state = Mutex(
      ScopePermits(
        count: concurrency,
        rate: settings?.rate(consumers: 1),
        scopeRate: settings?.scopeRate(consumers: 1),
        slowFrom: settings?.slowFrom ?? .zero,
        maximumScopes: maximumScopes,
        jitter: jitter,
        shared: shared,
        quota: quota
      ) { now in
        settings.map {
          ScopeControl(
            sparesQuarterHours: $0.sparesQuarterHours,
            slowsDown: $0.slowsDown,
            jitter: jitter,
            now: now
          )
        }
      }
    )
    shared?.onFree { [weak self] in self?.passOn(nil) }
  }

  /// Whether processes share a quota, so that their number counts.
  var hasQuota: Bool { settings?.hasQuota ?? false }

  /// Scopes that are remembered.
  var scopeCount: Int { state.withLock(\.scopeCount) }

  /// How often it was decided what is done with a target.
  var steps: Int { state.withLock(\.uses) }

  /// Processes that share the quota, this one among them.
  var consumers: Int { state.withLock(\.consumers) }

  /// Says how many processes share the quota, this one among them.
  func setConsumers(_ count: Int) {
    guard let settings else { return }
    let consumers = max(1, count)
    let rate = settings.rate(consumers: consumers)
    let scopeRate = settings.scopeRate(consumers: consumers)
    state.withLock { $0.setConsumers(consumers, rate: rate, scopeRate: scopeRate, at: .now) }
  }

  /// Returns as soon as it is known what is done with a target of the scope; waits for permits in between.
  ///
  /// - Parameters:
  ///   - isRetry: Whether it was tried before.
  ///   - atHead: Whether others wait behind it: then it does not wait for a slow scope.
  func admit(_ scope: ProviderScope, isRetry: Bool, atHead: Bool) async -> Admission {
    var wasWoken = false
    var isCounted = false
    while true {
      let step = state.withLock { $0.step(for: scope, isRetry: isRetry, atHead: atHead, at: .now, date: .now) }
      // The permit for which it was woken is another's then. Who waits for the scope again wakes none that does: both would find the
      // same, and wake each other for as long as the scope is slow.
      if wasWoken, !step.takesPermit { passOn(step.waitsForScope ? nil : scope) }
      if let shared, step.waitsForAny != isCounted {
        isCounted = step.waitsForAny
        if isCounted { shared.startWaiting() } else { shared.stopWaiting() }
        // What was kept for it is for the others.
        if !step.takesPermit { shared.wakeOthers() }
      }
      if case .decided(let admission) = step { return admission }
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          // Meanwhile a permit may have come back.
          if state.isStill(step, for: scope, at: .now) {
            state.join(continuation, step, of: scope)
            return false
          }
          return true
        }
        if goesOn { continuation.resume() }
      }
      wasWoken = true
    }
  }

  /// Gives the permit back, and takes the call back: it was not made.
  func cancel(_ ticket: Ticket) {
    let next = state.withLock { state in
      state.cancel(ticket)
      return state.release(ticket)
    }
    for waiter in next { waiter.resume() }
    shared?.wakeOthers()
  }

  /// A postponement for any part of a wait.
  func postponement(_ reason: Postponement.Reason, _ wait: Duration) -> Postponement {
    Postponement(reason: reason, after: jitter.wait(upTo: wait))
  }

  /// Gives the permit back after a call.
  ///
  /// - Returns: Whether the scope's breaker opens or closes, or a pause begins.
  @discardableResult
  func end(_ ticket: Ticket, _ result: DeliveryResult) -> CircuitBreaker.Change { finish(ticket, result).change }

  /// The same, with the scope that it is about: the ticket's, or the provider as a whole.
  func finish(_ ticket: Ticket, _ result: DeliveryResult) -> (change: CircuitBreaker.Change, scope: ProviderScope) {
    let (finished, next) = state.withLock { state in
      (state.finish(ticket, result, at: .now), state.release(ticket))
    }
    for waiter in next { waiter.resume() }
    shared?.wakeOthers()
    return finished
  }

  /// Lets others have the permit of a call that waits for its answer.
  ///
  /// - Returns: Whether they have it now; else the call keeps it.
  func leave(_ ticket: Ticket, after waited: Duration) -> Bool {
    guard let next = state.withLock({ $0.leave(ticket, after: waited, at: .now) }) else { return false }
    for waiter in next { waiter.resume() }
    shared?.wakeOthers()
    return true
  }

  private func passOn(_ scope: ProviderScope?) {
    let next = state.withLock { $0.next(for: scope) }
    for waiter in next { waiter.resume() }
  }
}
