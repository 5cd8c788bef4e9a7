import Broker
import Foundation
import Logging
import NotificationModel
import NotificationQueue

/// Tells a user's open connections what the user did elsewhere.
struct RealtimePublisher {
  let publisher: BrokerPublisher
  let logger: Logger

  /// Publishes one event. A failure is logged and no more: the change itself is stored, and clients see it when they next
  /// load.
  func tell(_ event: RealtimeMessage.Event) async {
    do {
      try await publisher.publish(
        BrokerMessage(
          body: QueueCoder.encode(RealtimeMessage(contents: [], events: [event])),
          contentType: "application/json",
          type: "belfry.realtime",
          appID: "belfry-gateway",
          timestamp: Date.now,
          isPersistent: false
        ),
        exchange: Topology.realtimeExchange,
        routingKey: Shard.of(event.userId).routingKey,
        mandatory: false
      )
    } catch {
      logger.warning("open connections were not told", metadata: ["error": "\(error)"])
    }
  }
}
