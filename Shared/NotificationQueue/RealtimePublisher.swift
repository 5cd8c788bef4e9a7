public import Broker
import Foundation
public import Logging
public import NotificationModel

/// Tells users' open connections what happened elsewhere.
public struct RealtimePublisher: Sendable {
  private let publisher: any MessagePublisher
  private let appID: String
  private let logger: Logger

  /// - Parameter appID: The service that tells, e.g. `belfry-gateway`.
  public init(publisher: any MessagePublisher, appID: String, logger: Logger) {
    self.publisher = publisher
    self.appID = appID
    self.logger = logger
  }

  /// Publishes events of one user as one message. A failure is logged and no more: the change itself is stored, and
  /// clients see it when they next load.
  public func tell(_ events: [RealtimeMessage.Event], to user: UserID) async {
    guard !events.isEmpty else { return }
    do throws(BrokerError) {
      try await publisher.publish(
        BrokerMessage(
          body: QueueCoder.encode(RealtimeMessage(events: events)),
          contentType: "application/json",
          type: RealtimeMessage.messageType,
          appID: appID,
          timestamp: Date.now,
          isPersistent: false
        ),
        exchange: Topology.realtimeExchange,
        routingKey: Shard.of(user).routingKey,
        mandatory: false
      )
    } catch {
      logger.warning("open connections were not told", metadata: ["error": "\(error)"])
    }
  }

  /// Tells a user's connections which notifications were marked as read; nothing if none was.
  ///
  /// - Parameters:
  ///   - ids: Those that were marked; where they are more than `ids` names, connections are told the count alone, and
  ///     clients that show them load the list again.
  ///   - count: How many were marked.
  ///   - unread: The unread count afterwards.
  public func tellRead(_ ids: [NotificationID], count: Int, unread: Int, of user: UserID) async {
    await tell(RealtimeMessage.Event.read(ids, count: count, unread: unread, of: user), to: user)
  }
}

extension RealtimeMessage.Event {
  /// The events of ``RealtimePublisher/tellRead(_:count:unread:of:)``.
  static func read(_ ids: [NotificationID], count: Int, unread: Int, of user: UserID) -> [RealtimeMessage.Event] {
    guard count > 0 else { return [] }
    guard ids.count == count else { return [Self(kind: .unread, userId: user, unread: unread)] }
    return ids.map { Self(kind: .read, userId: user, notificationId: $0, unread: unread) }
  }
}
