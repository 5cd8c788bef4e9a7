import Foundation
import Logging
import NotificationStore
import Retrying
import ServiceLifecycle
import ServiceRuntime

/// Looks each second for what has come due, and while there is any takes batch after batch, one at a time: what is sent
/// meanwhile has the other connections for itself. Any number of routers may.
struct HeldWorker: Service {
  let store: any HeldSource
  let processor: HeldProcessor
  /// Codes of the types that this router knows.
  let types: [Int]
  let logger: Logger
  var metrics: RouterMetrics?
  /// Nil where the time is a test's.
  var clocks: ClockWatch?
  var clock: @Sendable () -> Date = { Date.now }

  /// Seconds for which a batch is one router's: a multiple of what it takes, and what a crash costs in delay.
  static let lease: TimeInterval = 60
  private static let interval: Duration = .seconds(1)

  func run() async throws {
    var backoff = Backoff(first: .seconds(1), longest: .seconds(30))
    var unknown = UnknownTypes()
    var size = HeldClaimSize()
    while !Task.isShuttingDownGracefully {
      do {
        try await lookForUnknown(&unknown)
        let isMore = try await takeBatch(limit: size.limit)
        size.passed()
        backoff = Backoff(first: .seconds(1), longest: .seconds(30))
        if !isMore { try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) } }
      } catch  where error.isCancellation {
        return  // what is claimed is claimed again when the lease ends
      } catch {
        size.failed(error)
        logger.warning("what is due cannot be sent, trying again", metadata: ["error": "\(error)"])
        do {
          try await backoff.pause()
        } catch {
          return  // the service stops
        }
      }
    }
  }

  /// Takes what is due to its end, as much as makes a batch.
  ///
  /// - Parameter limit: Rows looked at to find its people.
  /// - Returns: Whether there was any.
  func takeBatch(limit: Int = HeldClaimSize.most) async throws -> Bool {
    try await clocks?.check()
    let now = clock()
    let claim = try await store.claim(types: types, limit: limit, now: now, until: now + Self.lease)
    guard !claim.entries.isEmpty else { return false }
    metrics?.claimed(claim)
    try await finish(claim)
    return true
  }

  /// Timeouts after which less is tried at once.
  private static let patience = 2

  /// Works on a claim until it is done or over. What fails for good is found by halving, so that it keeps nobody else waiting;
  /// what takes too long is tried in halves.
  ///
  /// - Parameter isRepeated: Whether it was tried before. Then the attempt may have been stored whose answer was lost, and what
  ///   was composed with others is known from there alone.
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
        guard clock() < claim.until else { throw error }
        if error.isTimeout {
          timeouts += 1
          let halves = claim.halves
          if timeouts >= Self.patience, halves.count > 1 {
            for half in halves { try await finish(half, isRepeated: true) }
            return
          }
        }
        logger.warning(
          "what is due cannot be sent, trying again",
          metadata: ["rows": "\(claim.entries.count)", "error": "\(error)"]
        )
        try await backoff.pause()
      } catch {
        let halves = claim.halves
        guard halves.count > 1 else {
          logger.error(
            "what is due for a user cannot be sent; it is tried again",
            metadata: [
              "user": "\(claim.entries[0].key.user)", "after": "\(Int(Self.lease)) s",
              "error": "\(String(reflecting: error))",
            ]
          )
          return
        }
        for half in halves { try await finish(half, isRepeated: true) }
        return
      }
    }
  }

  /// Puts off, once a minute, what no router that knows its type has taken, and says so once for each type.
  func lookForUnknown(_ unknown: inout UnknownTypes) async throws {
    let now = clock()
    guard now >= unknown.next else { return }
    try await clocks?.check()
    unknown.next = now + 60
    let types = try await store.putOff(knowing: types, now: now).subtracting(unknown.told).sorted()
    guard !types.isEmpty else { return }
    unknown.told.formUnion(types)
    logger.warning(
      "what is due is of types that are not in this router's catalogue; it waits for one that knows them",
      metadata: ["types": "\(types)"]
    )
  }

  /// What was said of them.
  struct UnknownTypes {
    fileprivate var told: Set<Int> = []
    fileprivate var next = Date.distantPast

    init() {}
  }
}

extension HeldClaim {
  /// The same in two, without parting what one person's channel has; itself if there is no more than that.
  fileprivate var halves: [HeldClaim] {
    let middle = entries[entries.count / 2].key
    let isBefore = { (entry: HeldEntry) in
      (entry.key.user, entry.key.channel) < (middle.user, middle.channel)
    }
    let (first, second) = (entries.filter(isBefore), entries.filter { !isBefore($0) })
    if !first.isEmpty { return [HeldClaim(until: until, entries: first), HeldClaim(until: until, entries: second)] }
    let isSame = { (entry: HeldEntry) in entry.key.user == middle.user && entry.key.channel == middle.channel }
    let rest = second.filter { !isSame($0) }
    guard !rest.isEmpty else { return [self] }
    return [HeldClaim(until: until, entries: second.filter(isSame)), HeldClaim(until: until, entries: rest)]
  }
}
