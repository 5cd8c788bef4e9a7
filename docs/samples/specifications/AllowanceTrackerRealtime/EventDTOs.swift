import Foundation

struct TransactionEventDTO: Codable, Sendable {
  let transactionId: UUID
  let childId: UUID
  let amount: Decimal
  let type: TransactionType
  let description: String
  let balanceAfter: Decimal
  let createdAt: Date
}

struct AllowanceEventDTO: Codable, Sendable {
  let childId: UUID
  let childName: String
  let amount: Decimal
  let newBalance: Decimal
  let previousBalance: Decimal
  let paidAt: Date
}

struct ChoreEventDTO: Codable, Sendable {
  let choreId: UUID
  let childId: UUID
  let choreName: String
  let amount: Decimal
  let approvedBy: String
  let approvedAt: Date
}

struct GoalEventDTO: Codable, Sendable {
  let goalId: UUID
  let childId: UUID
  let goalName: String
  let goalPrice: Decimal
  let currentBalance: Decimal
  let achievedAt: Date
}

struct BalanceEventDTO: Codable, Sendable {
  let childId: UUID
  let newBalance: Decimal
  let previousBalance: Decimal
}

enum TransactionType: String, Codable, Sendable {
  case credit = "Credit"
  case debit = "Debit"
}

enum ConnectionState: Sendable {
  case disconnected
  case connecting
  case connected
  case reconnecting
}
