import NotificationModel
import NotificationStore

/// Answers who belongs to a group: what routing needs of ``GroupStore``.
protocol GroupStoring: Sendable {
  /// Up to `limit` members in order of their ids, after `after`.
  func members(of group: String, after: UserID?, limit: Int) async throws -> [UserID]

  /// Up to `limit` of all who have a profile, in order of their ids, after `after`.
  func everyone(after: UserID?, limit: Int) async throws -> [UserID]
}

extension GroupStoring {
  /// Up to `limit` people of an audience in order of their ids, after `after`, with those whom it leaves out.
  func people(of audience: Audience, after: UserID?, limit: Int) async throws -> [UserID] {
    switch audience {
    case .users(let users): Array(users.sorted().drop { user in after.map { user <= $0 } ?? false }.prefix(limit))
    case .group(let group, _): try await members(of: group, after: after, limit: limit)
    case .everyone: try await everyone(after: after, limit: limit)
    case .topic: []
    }
  }
}

extension GroupStore: GroupStoring {}
