import Foundation
import NotificationStore

/// Notes pushes to topics: what routing needs of ``TopicDeliveryStore``.
protocol TopicStoring: Sendable {
  /// Notes pushes that are routed, and answers what was known of each.
  func note(_ pushes: [TopicDeliveryStore.Push], now: Date) async throws -> [TopicDeliveryStore.Former]
}

extension TopicDeliveryStore: TopicStoring {}
