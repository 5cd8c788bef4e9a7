import NotificationModel
import NotificationStore

/// Answers who lives in which zone: what routing and schedules need of ``AudienceStore``.
protocol ResidentStoring: Sendable {
  /// The zones that the audience may be in, the empty text for people without one.
  func zones(of audience: Audience) async throws -> Set<String>
  /// Those of the users who live in the zones, in the same order.
  func residents(of zones: [String], among users: [UserID]) async throws -> [UserID]
}

extension AudienceStore: ResidentStoring {}
