public import NotificationModel
public import NotificationStore

/// Where outcomes are kept: what a dispatcher needs of ``DeliveryStore``.
public protocol OutcomeStore: Sendable {
  /// Commits outcomes; one that says delivered is never replaced, and one that says uncertain not by the same of no later attempt.
  func record(_ records: [DeliveryStore.Record]) async throws

  /// Those of the users' targets on `channel` that already have a final outcome, among the given notifications; what was recorded as
  /// uncertain after two attempts has.
  func finished(
    _ notifications: [(user: UserID, id: NotificationID)],
    channel: Channel
  ) async throws -> Set<DeliveryStore.Key>

  /// Those of the pushes to topics, by their requests, that already have a final outcome.
  func finished(topics: [NotificationID]) async throws -> Set<DeliveryStore.Key>
}

extension DeliveryStore: OutcomeStore {}
