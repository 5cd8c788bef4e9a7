import Foundation
import Synchronization

/// Who is subscribed to which topic.
final class TopicSubscriptions: Sendable {
  static let maximumCount = 100_000

  enum Outcome: Sendable, Equatable {
    case created(TopicSubscription)
    case existed
    /// There are ``maximumCount`` already.
    case refused
  }

  private struct Key: Hashable {
    let registration: String
    let topic: String
  }

  private struct State {
    var subscriptions: [Key: TopicSubscription] = [:]
    var sequence = 0
  }

  private let state = Mutex(State())

  func subscribe(_ registration: String, to topic: String) -> Outcome {
    let now = Date()
    return state.withLock { state in
      let key = Key(registration: registration, topic: topic)
      if state.subscriptions[key] != nil { return .existed }
      guard state.subscriptions.count < Self.maximumCount else { return .refused }
      state.sequence += 1
      let subscription = TopicSubscription(
        sequence: state.sequence,
        createdAt: now,
        registration: registration,
        topic: topic
      )
      state.subscriptions[key] = subscription
      return .created(subscription)
    }
  }

  /// Answers false if there was no such subscription.
  func unsubscribe(_ registration: String, from topic: String) -> Bool {
    state.withLock { $0.subscriptions.removeValue(forKey: Key(registration: registration, topic: topic)) != nil }
  }

  /// Up to `limit` subscriptions that fit, oldest first, from those later than `sequence`.
  func all(after sequence: Int, limit: Int, where fits: (TopicSubscription) -> Bool) -> [TopicSubscription] {
    let found = state.withLock { $0.subscriptions.values.filter { $0.sequence > sequence && fits($0) } }
    return Array(found.sorted { $0.sequence < $1.sequence }.prefix(limit))
  }

  /// Forgets everything; sequences go on.
  func removeAll() {
    state.withLock { $0.subscriptions = [:] }
  }
}
