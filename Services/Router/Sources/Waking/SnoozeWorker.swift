import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Retrying
import ServiceLifecycle
import ServiceRuntime

/// Looks each second for snoozed notifications whose time has come, and puts them back into their users' inboxes, unread. Any
/// number of routers may: of those that wake the same one does, and tells the user's connections.
///
/// A router that dies between the two has told nobody; clients learn of it when they ask what changed.
struct SnoozeWorker: Service {
  let store: SnoozeStore
  let inbox: InboxStore
  let catalogue: Catalogue
  let realtime: RealtimePublisher
  let logger: Logger
  /// Nil where the time is a test's.
  var clocks: ClockWatch?
  var clock: @Sendable () -> Date = { Date.now }

  private static let interval: Duration = .seconds(1)
  private static let maximumBatch = 500
  /// Users whose inboxes are changed at a time: what is routed meanwhile has the other connections.
  private static let width = 4

  func run() async throws {
    var backoff = Backoff(first: .seconds(1), longest: .seconds(30))
    while !Task.isShuttingDownGracefully {
      do {
        let isMore = try await wake()
        backoff = Backoff(first: .seconds(1), longest: .seconds(30))
        if !isMore { try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) } }
      } catch  where error.isCancellation {
        return  // what is due stays due
      } catch {
        logger.warning("what was snoozed cannot be woken, trying again", metadata: ["error": "\(error)"])
        do {
          try await backoff.pause()
        } catch {
          return  // the service stops
        }
      }
    }
  }

  /// Wakes what is due, as much as makes a batch.
  ///
  /// - Returns: Whether there was any.
  @discardableResult
  func wake() async throws -> Bool {
    try await clocks?.check()
    let now = clock()
    let due = try await store.due(at: now, limit: Self.maximumBatch)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, (user, ids)) in due.enumerated() {
        if number >= Self.width { try await group.next() }
        group.addTask { try await wake(ids, of: user, at: now) }
      }
      try await group.waitForAll()
    }
    return !due.isEmpty
  }

  private func wake(_ ids: [NotificationID], of user: UserID, at now: Date) async throws {
    let woken = try await inbox.apply(.wakeWhenDue, to: ids, of: user, at: now)
    if woken.count < ids.count { try await store.forget(ids, of: user, dueAt: now) }
    guard woken.count > 0 else { return }
    let locale = try await inbox.locale(of: user, catalogue: catalogue)
    if let update = woken.inboxUpdate(catalogue, locale: locale) { await realtime.tell(update, of: user) }
  }
}
