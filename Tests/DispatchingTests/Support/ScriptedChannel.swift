import Dispatching
import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization

/// A channel whose provider does what a test says, and which remembers everything that the provider was asked.
final class ScriptedChannel: DeliveryChannel {
  typealias Answer = @Sendable (_ target: String, _ number: Int) async -> DeliveryResult

  let queue: WorkQueue
  let channel = Channel.email
  let maximumAttempts: Int
  let concurrency: Int
  let longestDelivery: Duration = .zero
  let control: ControlSettings?
  let decisionStands: Duration?

  private struct State {
    var tries: [DeliveryStore.Key: Int] = [:]
    var accepted: [DeliveryStore.Key: Int] = [:]
    var forgotten: [String] = []
    var objections: [String: SkipReason] = [:]
    var asked: [[String]] = []
    var beforeAnswer: (@Sendable () async throws -> Void)?
  }

  /// Opened when the service stops and answers are given up.
  let givenUp = Gate()

  private let state = Mutex(State())
  private let life: Life
  private let scope: @Sendable (String) -> ProviderScope
  private let isServed: @Sendable (String) -> Bool
  private let answer: Answer

  /// - Parameters:
  ///   - queue: Of the email channel.
  ///   - scope: Which scope a target is of.
  ///   - isServed: Whether the provider serves a target.
  ///   - answer: What the provider does with a target when it is asked for the n-th time, from 1.
  init(
    queue: WorkQueue = .email,
    concurrency: Int = 4,
    maximumAttempts: Int = 3,
    life: Life = Life(),
    control: ControlSettings? = nil,
    decisionStands: Duration? = nil,
    scope: @escaping @Sendable (_ target: String) -> ProviderScope = { _ in .whole },
    isServed: @escaping @Sendable (_ target: String) -> Bool = { _ in true },
    answer: @escaping Answer
  ) {
    self.queue = queue
    self.concurrency = concurrency
    self.control = control
    self.decisionStands = decisionStands
    self.scope = scope
    self.isServed = isServed
    self.maximumAttempts = maximumAttempts
    self.life = life
    self.answer = answer
  }

  /// How often the provider accepted each target.
  var accepted: [DeliveryStore.Key: Int] { state.withLock(\.accepted) }
  var forgotten: [String] { state.withLock(\.forgotten) }
  /// How often the provider was asked in all.
  var tries: Int { state.withLock { $0.tries.values.reduce(0, +) } }

  func scope(of targeted: TargetedDelivery) -> ProviderScope { scope(targeted.target.id) }

  func serves(_ target: DispatchMessage.Target) -> Bool { isServed(target.id) }

  func deliver(_ targeted: TargetedDelivery) async -> DeliveryResult {
    let target = targeted.target.id
    let key = DeliveryStore.Key(notificationID: targeted.delivery.notificationId, target: target)
    let number = state.withLock { state in
      state.tries[key, default: 0] += 1
      return state.tries[key, default: 0]
    }
    let result = await answer(target, number)
    guard life.live() else { return .abandoned }
    if case .delivered = result { state.withLock { $0.accepted[key, default: 0] += 1 } }
    return result
  }

  func giveUpAnswers() { givenUp.open() }

  /// From now on this speaks against a target; nil: nothing.
  func object(to target: String, _ reason: SkipReason?) { state.withLock { $0.objections[target] = reason } }

  /// The targets of which it was asked what speaks against them, together at a time.
  var asked: [[String]] { state.withLock(\.asked) }

  /// What lasts or fails before it is known what speaks against targets.
  func beforeObjections(_ step: @escaping @Sendable () async throws -> Void) {
    state.withLock { $0.beforeAnswer = step }
  }

  func objections(to targets: [TargetedDelivery]) async throws -> [DeliveryStore.Key: SkipReason] {
    try await state.withLock(\.beforeAnswer)?()
    return state.withLock { state in
      state.asked.append(targets.map(\.target.id))
      var objections: [DeliveryStore.Key: SkipReason] = [:]
      for targeted in targets {
        let key = DeliveryStore.Key(notificationID: targeted.delivery.notificationId, target: targeted.target.id)
        objections[key] = state.objections[targeted.target.id]
      }
      return objections
    }
  }

  func forget(_ targets: [ForgottenTarget]) async throws {
    guard life.live() else { throw CancellationError() }
    state.withLock { $0.forgotten += targets.map(\.target.id) }
  }
}
