public import Foundation
public import Logging
import NotificationModel
public import NotificationStore
import Retrying
public import ServiceLifecycle
import Synchronization

/// Knows who was erased: what a dispatcher needs of ``ErasureStore``.
public protocol ErasureSource: Sendable {
  /// Users who were erased at or after a time, or ever.
  func erased(since: Date?) async throws -> ErasureStore.Look
}

extension ErasureStore: ErasureSource {}

/// Keeps the set of erased users, so that what waits in queues for them is dropped without a query for each message.
///
/// It looks for new ones every second. A look that is older than two seconds (the process was stopped, say) is repeated before
/// anybody is answered. While the database is away the last known set counts; before the first look nobody is answered.
public struct ErasureWatch: Service {
  private struct State {
    var erased: [UserID: Date] = [:]
    /// The last look, by the clock that dates erasures: a mark with a date from the future hides none that comes after it.
    var asOf: Date?
    /// When it was looked last, with success or without.
    var lookedAt: ContinuousClock.Instant?
    var isLoaded = false

    func isErased(_ user: UserID, at date: Date) -> Bool { erased[user].map { $0 >= date } ?? false }

    mutating func learn(_ look: ErasureStore.Look, at now: ContinuousClock.Instant) {
      for mark in look.marks { erased[mark.user] = max(mark.erasedAt, erased[mark.user] ?? mark.erasedAt) }
      asOf = look.at
      lookedAt = max(now, lookedAt ?? now)
      isLoaded = true
    }
  }

  /// Reference, so that copies of the watch share what they know.
  private final class Memory: Sendable {
    let state = Mutex(State())
    /// One look at a time.
    let turn = Permits(count: 1)
  }

  private let source: any ErasureSource
  private let logger: Logger
  private let interval: Duration
  private let lifetime: Duration
  private let memory = Memory()

  /// A mark's time is taken before it is committed, so each look reaches back before the one before it: by more than that takes.
  private static let overlap: TimeInterval = 60

  /// - Parameters:
  ///   - interval: Between two looks.
  ///   - lifetime: How old a look may be that is relied on.
  public init(
    source: any ErasureSource,
    interval: Duration = .seconds(1),
    lifetime: Duration = .seconds(2),
    logger: Logger
  ) {
    self.source = source
    self.interval = interval
    self.lifetime = lifetime
    self.logger = logger
  }

  public func run() async throws {
    var backoff = Backoff()
    while !Task.isShuttingDownGracefully, !Task.isCancelled {
      do {
        try await look()
        backoff = Backoff()
        try await cancelWhenGracefulShutdown { [interval] in try await Task.sleep(for: interval) }
      } catch  where error.isCancellation {
        return
      } catch {
        logger.debug("waiting to see who was erased", metadata: ["error": "\(error)"])
        do {
          try await backoff.pause()
        } catch {
          return  // the service stops
        }
      }
    }
  }

  /// Whether a user was erased at that time or later.
  ///
  /// - Parameter date: The notification's.
  /// - Throws: Why nothing is known yet.
  func isErased(_ user: UserID, at date: Date) async throws -> Bool {
    if let known = known(user, at: date) { return known }
    await memory.turn.acquire()
    defer { memory.turn.release() }
    // Who had the turn before may have looked.
    if let known = known(user, at: date) { return known }
    do {
      try await look()
    } catch {
      guard memory.state.withLock(\.isLoaded) else { throw error }
    }
    return memory.state.withLock { $0.isErased(user, at: date) }
  }

  /// The same, at once; nil if the last look is too old.
  func known(_ user: UserID, at date: Date) -> Bool? {
    memory.state.withLock { state in
      guard state.isLoaded, let lookedAt = state.lookedAt, ContinuousClock.now - lookedAt <= lifetime else {
        return nil
      }
      return state.isErased(user, at: date)
    }
  }

  private func look() async throws {
    // What is committed after this moment may be missing in the answer.
    let now = ContinuousClock.now
    let since = memory.state.withLock { $0.asOf.map { $0 - Self.overlap } }
    do {
      let look = try await source.erased(since: since)
      memory.state.withLock { $0.learn(look, at: now) }
    } catch {
      // Nobody else need try before the next time.
      memory.state.withLock { if $0.isLoaded { $0.lookedAt = now } }
      throw error
    }
  }
}
