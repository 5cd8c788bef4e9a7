import NotificationModel
import NotificationStore

/// Tells who looks at what: what routing needs of ``PresenceStore``.
protocol PresenceSource: Sendable {
  /// What those people have on the screen; who looks at nothing is left out.
  func viewed(by users: [UserID], timeout: Duration) async throws -> [UserID: Set<ViewedEntity>]
}

extension PresenceStore: PresenceSource {}
