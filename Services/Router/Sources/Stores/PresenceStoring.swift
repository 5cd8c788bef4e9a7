import NotificationModel
import NotificationStore

/// Answers who looks at what: what routing needs of ``PresenceStore``.
protocol PresenceStoring: Sendable {
  /// What those people have on the screen; who looks at nothing is left out.
  func viewed(by users: [UserID], timeout: Duration) async throws -> [UserID: Set<RelatedEntity>]
}

extension PresenceStore: PresenceStoring {}
