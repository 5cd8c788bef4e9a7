package import Foundation

/// The AllowanceTracker specification of real-time features for iOS: what its app reads from the hub, lines 247 to 295.
package enum AllowanceTrackerRealtime {
  package static func read<Value: Decodable>(_ type: Value.Type = Value.self, from json: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: json)
  }

  /// Lines 249 to 257.
  package struct TransactionEventDTO: Codable {
    package let transactionId: UUID
    package let childId: UUID
    package let amount: Decimal
    package let type: TransactionType
    package let description: String
    package let balanceAfter: Decimal
    package let createdAt: Date
  }

  /// Lines 259 to 266.
  package struct AllowanceEventDTO: Codable {
    package let childId: UUID
    package let childName: String
    package let amount: Decimal
    package let newBalance: Decimal
    package let previousBalance: Decimal
    package let paidAt: Date
  }

  /// Lines 268 to 275.
  package struct ChoreEventDTO: Codable {
    package let choreId: UUID
    package let childId: UUID
    package let choreName: String
    package let amount: Decimal
    package let approvedBy: String
    package let approvedAt: Date
  }

  /// Lines 277 to 284.
  package struct GoalEventDTO: Codable {
    package let goalId: UUID
    package let childId: UUID
    package let goalName: String
    package let goalPrice: Decimal
    package let currentBalance: Decimal
    package let achievedAt: Date
  }

  /// Lines 286 to 290.
  package struct BalanceEventDTO: Codable {
    package let childId: UUID
    package let newBalance: Decimal
    package let previousBalance: Decimal
  }

  /// Lines 460 to 464.
  package struct DeviceTokenDTO: Codable {
    package let userId: UUID
    package let token: String
    package let platform: String

    /// What lines 339 to 343 make of the token that the system hands to the app.
    package init(userId: UUID, token: Data) {
      self.userId = userId
      self.token = token.map { String(format: "%02.2hhx", $0) }.joined()
      platform = "iOS"
    }
  }

  /// Lines 611 to 619.
  package struct NotificationPreferencesDTO: Codable {
    package let inAppEnabled: Bool
    package let inAppTransactions: Bool
    package let inAppAllowance: Bool
    package let inAppChores: Bool
    package let inAppGoals: Bool
    package let lowBalanceNotifications: Bool
    package let lowBalanceThreshold: Decimal?
  }

  /// Lines 621 to 629.
  package struct UpdateNotificationPreferencesDTO: Codable {
    package var inAppEnabled: Bool
    package var inAppTransactions: Bool
    package var inAppAllowance: Bool
    package var inAppChores: Bool
    package var inAppGoals: Bool
    package var lowBalanceNotifications: Bool
    package var lowBalanceThreshold: Decimal?

    package init(
      inAppEnabled: Bool,
      inAppTransactions: Bool,
      inAppAllowance: Bool,
      inAppChores: Bool,
      inAppGoals: Bool,
      lowBalanceNotifications: Bool,
      lowBalanceThreshold: Decimal?
    ) {
      self.inAppEnabled = inAppEnabled
      self.inAppTransactions = inAppTransactions
      self.inAppAllowance = inAppAllowance
      self.inAppChores = inAppChores
      self.inAppGoals = inAppGoals
      self.lowBalanceNotifications = lowBalanceNotifications
      self.lowBalanceThreshold = lowBalanceThreshold
    }
  }

  /// Lines 292 to 295.
  package enum TransactionType: String, Codable {
    case credit = "Credit"
    case debit = "Debit"
  }
}
