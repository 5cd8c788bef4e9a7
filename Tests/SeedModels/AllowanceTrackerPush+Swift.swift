package import Foundation

extension AllowanceTrackerPush {
  /// The iOS app, lines 961 to 1027 and 1178 to 1194.
  package enum Swift {}
}

extension AllowanceTrackerPush.Swift {
  /// How the app reads answers. Its APIService is not given; `.iso8601` is what Foundation offers for the dates of its
  /// server, which .NET writes with fractions of a second.
  package static func read<Value: Decodable>(_ type: Value.Type = Value.self, from json: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: json)
  }

  /// Lines 966 to 979.
  package struct NotificationModel: Codable, Identifiable {
    package let id: UUID
    package let type: NotificationType
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

  /// Lines 981 to 986.
  package struct NotificationListResponse: Codable {
    package let notifications: [NotificationModel]
    package let unreadCount: Int
    package let totalCount: Int
    package let hasMore: Bool
  }

  /// Lines 988 to 993.
  package struct NotificationPreferences: Codable {
    package let preferences: [NotificationPreferenceItem]
    package let quietHoursEnabled: Bool
    package let quietHoursStart: String?
    package let quietHoursEnd: String?
  }

  /// Lines 995 to 1003.
  package struct NotificationPreferenceItem: Codable, Identifiable {
    package var id: Int { notificationType }
    package let notificationType: Int
    package let typeName: String
    package let category: String
    package var inAppEnabled: Bool
    package var pushEnabled: Bool
    package var emailEnabled: Bool
  }

  /// Lines 1005 to 1021. A list with another type is one that the app cannot read, from whatever server.
  package enum NotificationType: Int, Codable, CaseIterable {
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

  /// Lines 1178 to 1183.
  package struct RegisterDeviceRequest: Codable {
    let token: String
    let platform: Int
    let deviceName: String?
    let appVersion: String?

    package init(token: String, platform: Int, deviceName: String?, appVersion: String?) {
      self.token = token
      self.platform = platform
      self.deviceName = deviceName
      self.appVersion = appVersion
    }
  }

  /// Lines 1185 to 1187.
  package struct MarkNotificationsReadRequest: Codable {
    let notificationIds: [UUID]?

    package init(notificationIds: [UUID]?) {
      self.notificationIds = notificationIds
    }
  }

  /// Lines 1189 to 1194.
  package struct DeviceTokenResponse: Codable {
    package let id: UUID
    package let platform: Int
    package let deviceName: String?
    package let isActive: Bool
  }
}
