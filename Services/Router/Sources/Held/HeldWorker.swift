import Foundation
import Logging
import NotificationModel
import NotificationStore
import Retrying
import ServiceLifecycle
import ServiceRuntime

/// Releases what has come due. Any number of routers may do so.
///
/// It looks each second, and takes batch after batch while there is any. It takes one at a time, so that what is sent meanwhile
/// has the other connections for itself.
struct HeldWorker: Service {
  let store: any HeldStoring
  let processor: HeldProcessor
  /// The types that this router knows.
  let types: HeldTypes
  let logger: Logger
  var metrics: RouterMetrics?
  /// Says what users are called, for the log.
  var identifiers: (any IdentifierStoring)?
  var clock: any WorkClock

  /// Seconds for which a batch is one router's: a multiple of what it takes, and what a crash costs in delay.
  static let lease: TimeInterval = 60
  private static let interval: Duration = .seconds(1)

  func run() async throws {
    var unknown = UnknownTypes()
    var size = HeldClaimSize()
    // When the service stops, what is claimed is claimed again once the lease ends.
    await Poll(interval: Self.interval, logger: logger).drain("what is due cannot be sent") {
      do {
        try await putOffUnknown(&unknown)
        let isMore = try await takeBatch(limit: size.limit)
        size.passed()
        return isMore
      } catch  where !error.isCancellation {
        size.failed(error)
        throw error
      }
    }
  }

  /// Claims one batch of what is due, and takes it to its end.
  ///
  /// - Parameter limit: Rows looked at to find its people.
  /// - Returns: Whether there was any.
  func takeBatch(limit: Int = HeldClaimSize.most) async throws -> Bool {
    let now = try await clock.checkedNow()
    let claim = try await store.claim(types: types.known().codes, limit: limit, now: now, until: now + Self.lease)
    guard !claim.entries.isEmpty else { return false }
    metrics?.claimed(claim)
    try await finish(claim)
    return true
  }

  /// So many timeouts, and the claim is tried in halves.
  private static let timeoutsBeforeHalving = 2

  /// Works on a claim until it is done or over.
  ///
  /// A claim that takes too long is tried in halves. So is one that fails for good: halving finds the row that fails, and that
  /// row keeps nobody else waiting.
  ///
  /// - Parameter isRepeated: Whether it was tried before. That attempt may have been stored though its answer was lost, and
  ///   only the rows themselves say what was composed with others.
  private func finish(_ claim: HeldClaim, isRepeated: Bool = false) async throws {
    var (claim, isRepeated) = (claim, isRepeated)
    var backoff = Backoff()
    var timeouts = 0
    while true {
      do {
        if isRepeated { claim = try await store.reread(claim) }
        isRepeated = true
        return try await processor.process(claim)
      } catch  where error.isCancellation {
        throw error
      } catch  where error.willPass {
        guard clock.uncheckedNow < claim.until else { throw error }
        if error.isTimeout {
          timeouts += 1
          let halves = claim.halves
          if timeouts >= Self.timeoutsBeforeHalving, halves.count > 1 { return try await finish(halves) }
        }
        logger.warning(
          "what is due cannot be sent, trying again",
          metadata: ["rows": "\(claim.entries.count)", "error": "\(error)"]
        )
        try await backoff.pause()
      } catch {
        let halves = claim.halves
        guard halves.count > 1 else {
          let user = claim.entries[0].key.user
          let name = try? await identifiers?.texts(of: [user])[user]
          logger.error(
            "what is due for a user cannot be sent; it is tried again",
            metadata: [
              "user": "\(name ?? "\(user)")", "after": "\(Int(Self.lease)) s",
              "error": "\(String(reflecting: error))",
            ]
          )
          return
        }
        return try await finish(halves)
      }
    }
  }

  private func finish(_ halves: [HeldClaim]) async throws {
    for half in halves { try await finish(half, isRepeated: true) }
  }
}
