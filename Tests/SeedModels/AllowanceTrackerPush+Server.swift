package import Foundation

extension AllowanceTrackerPush {
  /// The records of its own server, lines 179 to 274, for clients in .NET.
  package enum Server {}
}

extension AllowanceTrackerPush.Server {
  /// Reads as System.Text.Json does: a `Guid` with hyphens, a `DateTime` in ISO 8601, a `TimeOnly` as `HH:mm:ss`.
  package static func read<Value: Decodable>(_ type: Value.Type = Value.self, from json: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: json)
  }

  /// Lines 225 to 238.
  package struct NotificationDto: Decodable {
    package let id: UUID
    package let type: Int
    package let typeName: String
    package let title: String
    package let body: String
    package let data: String?
    package let isRead: Bool
    package let readAt: Date?
    package let createdAt: Date
    package let relatedEntityType: String?
    package let relatedEntityId: UUID?
    package let timeAgo: String
  }

  /// Lines 240 to 245.
  package struct NotificationListDto: Decodable {
    package let notifications: [NotificationDto]
    package let unreadCount: Int
    package let totalCount: Int
    package let hasMore: Bool
  }

  /// Lines 247 to 254.
  package struct NotificationPreferenceDto: Decodable, Equatable {
    package let notificationType: Int
    package let typeName: String
    package let category: String
    package let inAppEnabled: Bool
    package let pushEnabled: Bool
    package let emailEnabled: Bool
  }

  /// Lines 256 to 261.
  package struct NotificationPreferencesDto: Decodable {
    package let preferences: [NotificationPreferenceDto]
    package let quietHoursEnabled: Bool
    package let quietHoursStart: String?
    package let quietHoursEnd: String?
  }

  /// Lines 263 to 270.
  package struct DeviceTokenDto: Decodable, Equatable {
    package let id: UUID
    package let platform: Int
    package let deviceName: String?
    package let isActive: Bool
    package let createdAt: Date
    package let lastUsedAt: Date?
  }

  /// Lines 272 to 274.
  package struct UnreadCountDto: Decodable {
    package let count: Int
  }
}
