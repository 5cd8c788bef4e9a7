import Dispatching
import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization

/// A channel whose provider does what a test says, and which remembers everything that the provider was asked.
final class ScriptedChannel: DeliveryChannel {
  typealias Answer = @Sendable (_ target: String, _ number: Int) async -> DeliveryResult

  let queue = WorkQueue.email
  let channel = Channel.email
  let maximumAttempts: Int
  let lanes: [Int]
  let longestDelivery: Duration = .zero

  private struct State {
    var tries: [DeliveryStore.Key: Int] = [:]
    var accepted: [DeliveryStore.Key: Int] = [:]
    var forgotten: [String] = []
  }

  private let state = Mutex(State())
  private let life: Life
  private let lane: @Sendable (String) -> Int?
  private let answer: Answer

  /// - Parameters:
  ///   - lane: The place of a target's provider; there is one provider, at 0.
  ///   - answer: What the provider does with a target when it is asked for the n-th time, from 1.
  init(
    concurrency: Int = 4,
    maximumAttempts: Int = 3,
    life: Life = Life(),
    lane: @escaping @Sendable (_ target: String) -> Int? = { _ in 0 },
    answer: @escaping Answer
  ) {
    lanes = [concurrency]
    self.lane = lane
    self.maximumAttempts = maximumAttempts
    self.life = life
    self.answer = answer
  }

  /// How often the provider accepted each target.
  var accepted: [DeliveryStore.Key: Int] { state.withLock(\.accepted) }
  var forgotten: [String] { state.withLock(\.forgotten) }
  /// How often the provider was asked in all.
  var tries: Int { state.withLock { $0.tries.values.reduce(0, +) } }

  func lane(of target: DispatchMessage.Target) -> Int? { lane(target.id) }

  func deliver(
    _ delivery: DispatchMessage.Delivery,
    to target: DispatchMessage.Target,
    content: NotificationContent
  ) async -> DeliveryResult {
    let key = DeliveryStore.Key(notificationID: delivery.notificationId, target: target.id)
    let number = state.withLock { state in
      state.tries[key, default: 0] += 1
      return state.tries[key, default: 0]
    }
    let result = await answer(target.id, number)
    guard life.live() else { return .abandoned }
    if case .delivered = result { state.withLock { $0.accepted[key, default: 0] += 1 } }
    return result
  }

  func forget(_ targets: [(user: UserID, target: DispatchMessage.Target, reason: String)]) async throws {
    guard life.live() else { throw CancellationError() }
    state.withLock { $0.forgotten += targets.map(\.target.id) }
  }
}
