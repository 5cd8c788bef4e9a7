import Foundation

struct NotificationModel: Codable, Identifiable, Sendable {
  let id: UUID
  let type: NotificationType
  let typeName: String
  let title: String
  let body: String
  let data: String?
  let isRead: Bool
  let readAt: Date?
  let createdAt: Date
  let relatedEntityType: String?
  let relatedEntityId: UUID?
  let timeAgo: String
}

struct NotificationListResponse: Codable, Sendable {
  let notifications: [NotificationModel]
  let unreadCount: Int
  let totalCount: Int
  let hasMore: Bool
}

struct NotificationPreferences: Codable, Sendable {
  let preferences: [NotificationPreferenceItem]
  let quietHoursEnabled: Bool
  let quietHoursStart: String?
  let quietHoursEnd: String?
}

struct NotificationPreferenceItem: Codable, Identifiable, Sendable {
  var id: Int { notificationType }
  let notificationType: Int
  let typeName: String
  let category: String
  var inAppEnabled: Bool
  var pushEnabled: Bool
  var emailEnabled: Bool
}

enum NotificationType: Int, Codable, CaseIterable, Sendable {
  case balanceAlert = 1
  case lowBalanceWarning = 2
  case transactionCreated = 3
  case allowanceDeposit = 10
  case goalProgress = 20
  case goalMilestone = 21
  case goalCompleted = 22
  case taskAssigned = 30
  case taskReminder = 31
  case approvalRequired = 33
  case taskApproved = 34
  case budgetWarning = 40
  case achievementUnlocked = 50
  case giftReceived = 62
  case weeklySummary = 70
}

struct RegisterDeviceRequest: Codable, Sendable {
  let token: String
  let platform: Int
  let deviceName: String?
  let appVersion: String?
}

struct MarkNotificationsReadRequest: Codable, Sendable {
  let notificationIds: [UUID]?
}

struct DeviceTokenResponse: Codable, Sendable {
  let id: UUID
  let platform: Int
  let deviceName: String?
  let isActive: Bool
}

extension NotificationListResponse {
  private struct Entry: Decodable {
    let notification: NotificationModel?

    init(from decoder: any Decoder) throws {
      notification = try? NotificationModel(from: decoder)
    }
  }

  /// Leaves out a notification that this version of the app cannot show, such as one of a type that came later: otherwise the
  /// whole list would be lost.
  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    notifications = try members.decode([Entry].self, forKey: .notifications).compactMap(\.notification)
    unreadCount = try members.decode(Int.self, forKey: .unreadCount)
    totalCount = try members.decode(Int.self, forKey: .totalCount)
    hasMore = try members.decode(Bool.self, forKey: .hasMore)
  }
}

extension NotificationModel {
  /// The same, read now if it was not before.
  var read: NotificationModel {
    NotificationModel(
      id: id,
      type: type,
      typeName: typeName,
      title: title,
      body: body,
      data: data,
      isRead: true,
      readAt: readAt ?? Date(),
      createdAt: createdAt,
      relatedEntityType: relatedEntityType,
      relatedEntityId: relatedEntityId,
      timeAgo: timeAgo
    )
  }
}
