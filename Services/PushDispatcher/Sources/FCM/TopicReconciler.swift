import Logging
import NotificationStore
import Postgres
import Retrying
import ServiceLifecycle

/// Knows what FCM is to be told of topics: what a provider needs of ``TopicRegistrationStore``.
protocol TopicRegistry: Sendable {
  func claim(limit: Int, lease: Duration) async throws -> TopicRegistrationStore.Claim
  func settle(_ claim: TopicRegistrationStore.Claim, _ outcomes: [TopicRegistrationStore.Outcome]) async throws
}

extension TopicRegistrationStore: TopicRegistry {}

/// Brings FCM's subscriptions to topics into line with what is wanted: claims what is due, tells FCM, and notes what came of it.
///
/// A dispatcher that dies in between leaves a claim that ends by itself; then another tells FCM again, which is the same to FCM.
struct TopicReconciler: Service {
  let registry: any TopicRegistry
  let subscriptions: TopicSubscriptionClient
  /// How long a claim is this dispatcher's.
  let lease: Duration
  var interval: Duration = .seconds(1)
  /// A call begins within this time of the claim, and so ends within the lease: later another dispatcher may tell FCM the contrary.
  var latestCall = Self.margin
  let logger: Logger

  /// Calls at once, as Google's own libraries make.
  static let concurrency = 100
  /// What a lease has beside the longest call.
  static let margin: Duration = .seconds(30)
  /// If so many calls of a round, and at least half of them, met a quota that is used up, then it is more than a registration's.
  static let throttledCalls = 10

  func run() async throws {
    var backoff = Backoff(first: .seconds(1), longest: .seconds(30))
    while !Task.isShuttingDownGracefully, !Task.isCancelled {
      do {
        let rest = try await round()
        backoff = Backoff(first: .seconds(1), longest: .seconds(30))
        if let rest { try await cancelWhenGracefulShutdown { try await Task.sleep(for: rest) } }
      } catch  where error.isCancellation {
        return
      } catch {
        logger.warning("topic subscriptions are held up", metadata: ["error": "\(error)"])
        do { try await backoff.pause() } catch { return }  // the service stops
      }
    }
  }

  /// Tells FCM what is due.
  ///
  /// - Returns: How long to rest; nil if more may be due already.
  func round() async throws -> Duration? {
    let deadline = ContinuousClock.now + latestCall
    let claim = try await registry.claim(limit: Self.concurrency, lease: lease)
    guard !claim.changes.isEmpty else { return interval }
    let answers = await withTaskGroup(of: (Int, TopicSubscriptionClient.Answer).self) { group in
      for (index, change) in claim.changes.enumerated() {
        group.addTask { [subscriptions] in (index, await subscriptions.apply(change, before: deadline)) }
      }
      return await group.reduce(
        into: [TopicSubscriptionClient.Answer](repeating: .cancelled, count: claim.changes.count)
      ) {
        $0[$1.0] = $1.1
      }
    }
    var pause: Duration?
    let outcomes = answers.map { answer -> TopicRegistrationStore.Outcome in
      switch answer {
      case .outcome(let outcome): return outcome
      case .pause(let wait, let reason):
        pause = max(pause ?? .zero, wait)
        return .again(after: wait, reason: reason)
      case .cancelled: return .again(after: .zero, reason: "the dispatcher stopped, or stood still")
      }
    }
    try await registry.settle(claim, outcomes)
    report(claim, outcomes)
    pause = pause ?? Self.pause(after: outcomes)
    if let pause {
      logger.warning("FCM's quota for topic subscriptions is used up", metadata: ["seconds": "\(pause / .seconds(1))"])
    }
    return pause ?? (claim.changes.count == Self.concurrency ? nil : interval)
  }

  /// Whose quota is used up cannot always be read: if many calls met one, all of them rest.
  private static func pause(after outcomes: [TopicRegistrationStore.Outcome]) -> Duration? {
    let waits = outcomes.compactMap { outcome -> Duration? in
      guard case .again(let wait, TopicSubscriptionClient.quotaReason) = outcome else { return nil }
      return wait
    }
    guard waits.count >= throttledCalls, waits.count * 2 >= outcomes.count else { return nil }
    return waits.min()
  }

  private func report(_ claim: TopicRegistrationStore.Claim, _ outcomes: [TopicRegistrationStore.Outcome]) {
    let failures = outcomes.compactMap { outcome -> String? in
      guard case .again(_, let reason) = outcome else { return nil }
      return reason
    }
    guard let first = failures.first else { return }
    logger.warning(
      """
      FCM has not taken topic subscriptions, which are tried again: if it is PERMISSION_DENIED or UNAUTHENTICATED, check the \
      service account's role
      """,
      metadata: ["count": "\(failures.count)", "of": "\(claim.changes.count)", "reason": "\(first)"]
    )
  }
}
