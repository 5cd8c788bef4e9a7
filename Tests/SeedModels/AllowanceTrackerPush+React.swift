package import Foundation

extension AllowanceTrackerPush {
  /// The web page, lines 1411 to 1464 and 1480 to 1595. TypeScript checks nothing when it runs: what is required here is
  /// what the page relies on.
  package enum React {}
}

extension AllowanceTrackerPush.React {
  package static func read<Value: Decodable>(_ type: Value.Type = Value.self, from json: Data) throws -> Value {
    try JSONDecoder().decode(type, from: json)
  }

  /// Lines 1411 to 1424.
  package struct Notification: Decodable {
    package let id: String
    package let type: Int
    package let typeName: String
    package let title: String
    package let body: String
    package let data: String?
    package let isRead: Bool
    package let readAt: String?
    package let createdAt: String
    package let relatedEntityType: String?
    package let relatedEntityId: String?
    package let timeAgo: String
  }

  /// Lines 1426 to 1431.
  package struct NotificationListResponse: Decodable {
    package let notifications: [Notification]
    package let unreadCount: Int
    package let totalCount: Int
    package let hasMore: Bool
  }
}
