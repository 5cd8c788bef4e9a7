import Foundation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// A transaction as the dashboard lists it. The specification leaves this type to the app.
struct Transaction: Identifiable, Sendable {
  let id: UUID
  let amount: Decimal
  let type: TransactionType
  let description: String
  let createdAt: Date

  init(from event: TransactionEventDTO) {
    id = event.transactionId
    amount = event.amount
    type = event.type
    description = event.description
    createdAt = event.createdAt
  }
}

/// What the dashboard shows. The view calls it with what the publishers of ``SignalRManager`` say, and animates.
@MainActor
class DashboardViewModel: ObservableObject {
  @Published var currentBalance: Decimal = 0
  @Published var recentTransactions: [Transaction] = []
  @Published var showCelebration = false
  @Published var celebrationGoal: GoalEventDTO?

  func handleBalanceUpdate(_ event: BalanceEventDTO) async {
    currentBalance = event.newBalance
  }

  /// An event may come twice; a transaction is listed once.
  func handleNewTransaction(_ event: TransactionEventDTO) async {
    guard !recentTransactions.contains(where: { $0.id == event.transactionId }) else { return }
    recentTransactions.insert(Transaction(from: event), at: 0)
  }

  func showGoalCelebration(_ event: GoalEventDTO) {
    celebrationGoal = event
    showCelebration = true
  }
}
