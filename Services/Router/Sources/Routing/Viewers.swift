import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Retrying

/// Finds out who has on the screen what a batch is about.
///
/// Knowing it may only spare a push, so routing never waits long for it: if the query fails or is late, nobody counts as
/// viewing.
struct Viewers {
  let store: any PresenceStoring
  let logger: Logger

  /// PostgreSQL gives up after it, so that what waits behind the question on the connection goes on.
  private static let timeout: Duration = .seconds(1)

  /// What the recipients of those jobs look at that say what they are about. One query, or none at all.
  func look(at jobs: [RoutingJob]) async -> [UserID: Set<RelatedEntity>] {
    await look(for: Set(jobs.lazy.filter { $0.order.content.relatedEntity != nil }.flatMap(\.order.recipients)))
  }

  /// What those people look at whom something is about that can be on a screen.
  func look(for users: Set<UserID>) async -> [UserID: Set<RelatedEntity>] {
    guard !users.isEmpty else { return [:] }
    do {
      return try await store.viewed(by: Array(users), timeout: Self.timeout)
    } catch {
      if !error.isCancellation {
        logger.warning("who is viewing is not known, so nobody is", metadata: ["error": "\(error)"])
      }
      return [:]
    }
  }
}
