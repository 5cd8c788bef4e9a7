import BelfryClient
import Foundation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

#if canImport(UIKit)
  import UserNotifications
#else
  import AppleDeclarations
#endif

/// What the app knows of its server: set once, before anybody signs in.
@MainActor
enum APIConfig {
  static var baseURL = "http://127.0.0.1:8080"
  /// The hub's address, where it is not behind `baseURL`.
  static var hubURL: String?

  /// A client for the user of this token.
  static func client(withToken token: String) throws -> BelfryClient {
    // This path gives every event as one object.
    guard let gateway = URL(string: baseURL), let hub = URL(string: "\(hubURL ?? baseURL)/hub/family") else {
      throw BelfryError(.invalid, detail: "no address: \(baseURL)")
    }
    return BelfryClient(BelfryConfiguration(gateway: gateway, hub: hub), token: { _ in token })
  }
}

@MainActor
class SignalRManager: ObservableObject {
  static let shared = SignalRManager()

  @Published var connectionState: ConnectionState = .disconnected
  @Published var lastError: (any Error)?

  let transactionCreatedPublisher = PassthroughSubject<TransactionEventDTO, Never>()
  let allowancePaidPublisher = PassthroughSubject<AllowanceEventDTO, Never>()
  let choreApprovedPublisher = PassthroughSubject<ChoreEventDTO, Never>()
  let goalReachedPublisher = PassthroughSubject<GoalEventDTO, Never>()
  let balanceUpdatedPublisher = PassthroughSubject<BalanceEventDTO, Never>()

  /// Of the signed-in user; nil while nobody is.
  private(set) var client: BelfryClient?
  private let makeClient: @MainActor (String) throws -> BelfryClient
  private var listening: Task<Void, Never>?
  /// Of the client in use: what a former one reports late is passed over.
  private var number = 0
  private var waiting: CheckedContinuation<Void, any Error>?

  init(makeClient: @escaping @MainActor (String) throws -> BelfryClient = { try APIConfig.client(withToken: $0) }) {
    self.makeClient = makeClient
  }

  /// Connects when a user signs in, and returns once the connection stands.
  ///
  /// - Throws: Why the first attempt failed. Then nothing is connected, and nothing tries again.
  func connect(withToken token: String) async throws {
    guard client == nil else { return }
    let before = number
    do {
      try await start(withToken: token)
    } catch {
      // Unless it was disconnected already.
      if number == before + 1 { await disconnect() }
      lastError = error
      throw error
    }
  }

  /// Disconnects when the user signs out.
  func disconnect() async {
    listening?.cancel()
    listening = nil
    number += 1
    let former = client
    client = nil
    connectionState = .disconnected
    settle(.failure(CancellationError()))
    await former?.disconnect()
  }

  /// Connects after the network is back. Belfry's client tries again by itself, and so nothing is thrown.
  func reconnect(withToken token: String) async {
    guard connectionState == .disconnected else { return }
    do {
      try await start(withToken: token)
    } catch {
      lastError = error
    }
  }

  // MARK: What the client reports

  private func start(withToken token: String) async throws {
    let client = try makeClient(token)
    self.client = client
    number += 1
    let number = number
    connectionState = .connecting
    // The first is the state before.
    let states = client.states.dropFirst()
    let errors = client.errors
    let transactions = client.events("TransactionCreated", as: TransactionEventDTO.self)
    let allowances = client.events("AllowancePaid", as: AllowanceEventDTO.self)
    let chores = client.events("ChoreApproved", as: ChoreEventDTO.self)
    let goals = client.events("GoalReached", as: GoalEventDTO.self)
    let balances = client.events("BalanceUpdated", as: BalanceEventDTO.self)
    listening = Task { [weak self] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await state in states {
            // The client has a ConnectionState of its own, with two more.
            switch state {
            case .disconnected, .paused: await self?.change(to: .disconnected, number)
            case .connecting: await self?.change(to: .connecting, number)
            case .connected: await self?.change(to: .connected, number)
            case .reconnecting: await self?.change(to: .reconnecting, number)
            case .unauthorized: await self?.end(BelfryError(.unauthorized, status: 401), number)
            }
          }
        }
        group.addTask { for await error in errors { await self?.take(error, number) } }
        group.addTask { for await event in transactions { await self?.take(event) } }
        group.addTask { for await event in allowances { await self?.take(event) } }
        group.addTask { for await event in chores { await self?.take(event) } }
        group.addTask { for await event in goals { await self?.take(event) } }
        group.addTask { for await event in balances { await self?.take(event) } }
      }
    }
    try await withCheckedThrowingContinuation { continuation in
      waiting = continuation
      Task { await client.connect() }
    }
  }

  private func change(to state: ConnectionState, _ number: Int) {
    guard number == self.number else { return }
    connectionState = state
    if state == .connected { settle(.success(())) }
    if state == .reconnecting { settle(.failure(BelfryError(.unavailable))) }
  }

  private func take(_ error: BelfryError, _ number: Int) {
    if number == self.number { lastError = error }
  }

  /// The token is refused: only another one helps.
  private func end(_ error: BelfryError, _ number: Int) async {
    guard number == self.number else { return }
    lastError = error
    settle(.failure(error))
    await disconnect()
  }

  private func settle(_ result: Result<Void, any Error>) {
    waiting?.resume(with: result)
    waiting = nil
  }

  private func take(_ event: TransactionEventDTO) async {
    transactionCreatedPublisher.send(event)
    await show(
      "Transaction Created",
      "\(dollars(event.amount)) \(event.type.rawValue.lowercased())",
      ["transactionId": event.transactionId.uuidString]
    )
  }

  private func take(_ event: AllowanceEventDTO) async {
    allowancePaidPublisher.send(event)
    balanceUpdatedPublisher.send(
      BalanceEventDTO(childId: event.childId, newBalance: event.newBalance, previousBalance: event.previousBalance)
    )
    await show("Allowance Paid! 💰", "You received \(dollars(event.amount))", ["childId": event.childId.uuidString])
  }

  private func take(_ event: ChoreEventDTO) async {
    choreApprovedPublisher.send(event)
    await show(
      "Chore Approved ✅",
      "You earned \(dollars(event.amount)) for \(event.choreName)",
      ["choreId": event.choreId.uuidString]
    )
  }

  private func take(_ event: GoalEventDTO) async {
    goalReachedPublisher.send(event)
    await show(
      "🎉 Goal Reached!",
      "You saved enough for \(event.goalName)! Balance: \(dollars(event.currentBalance))",
      ["goalId": event.goalId.uuidString],
      sound: .defaultCritical
    )
  }

  private func take(_ event: BalanceEventDTO) {
    balanceUpdatedPublisher.send(event)
  }

  /// An event that cannot be shown was still published.
  private func show(
    _ title: String,
    _ body: String,
    _ data: [String: String],
    sound: UNNotificationSound = .default
  ) async {
    do {
      let content = UNMutableNotificationContent()
      content.title = title
      content.body = body
      content.sound = sound
      content.userInfo = data
      content.categoryIdentifier = "TRANSACTION"
      let request = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil)
      try await UNUserNotificationCenter.current().add(request)
    } catch {
      lastError = error
    }
  }

  private func dollars(_ amount: Decimal) -> String {
    amount.formatted(.currency(code: "USD").locale(Locale(identifier: "en_US")))
  }
}
