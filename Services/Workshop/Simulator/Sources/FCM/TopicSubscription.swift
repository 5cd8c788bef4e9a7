import Foundation

/// That an app's instance gets what is sent to a topic.
struct TopicSubscription: Sendable, Equatable {
  /// Position in the order of subscribing since the start, from 1; never used twice.
  let sequence: Int
  let createdAt: Date
  /// A token or an installation ID.
  let registration: String
  let topic: String
}
