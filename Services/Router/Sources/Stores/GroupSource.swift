import NotificationModel
import NotificationStore

/// Tells who belongs to a group: what routing needs of ``GroupStore``.
protocol GroupSource: Sendable {
  /// Up to `limit` members in order of their ids, after `after`.
  func members(of group: String, after: UserID?, limit: Int) async throws -> [UserID]
}

extension GroupStore: GroupSource {}
