import CatalogueVersions
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceLifecycle
import ServiceRuntime

/// Looks each second for snoozed notifications whose time has come, and puts them back into their users' inboxes, unread. Any
/// number of routers may: of those that wake the same one does, and notifies the user's connections.
///
/// A router that dies between the two has notified nobody; clients learn of it when they ask what changed.
struct SnoozeWorker: Service {
  let store: SnoozeStore
  let inbox: InboxStore
  let catalogues: CatalogueInForce
  let realtime: RealtimePublisher
  let logger: Logger
  let clock: any WorkClock

  private static let interval: Duration = .seconds(1)
  private static let maximumBatch = 500
  /// Users whose inboxes are changed at a time: what is routed meanwhile has the other connections.
  private static let width = 4

  func run() async throws {
    // When the service stops, what is due stays due.
    await Poll(interval: Self.interval, logger: logger).drain("what was snoozed cannot be woken") { try await wake() }
  }

  /// Wakes what is due, as much as makes a batch.
  ///
  /// - Returns: Whether there was any.
  @discardableResult
  func wake() async throws -> Bool {
    let now = try await clock.checkedNow()
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
    if let update = try await inbox.inboxUpdate(woken, of: user, catalogue: catalogues.current.catalogue) {
      await realtime.publish(update, of: user)
    }
  }
}
