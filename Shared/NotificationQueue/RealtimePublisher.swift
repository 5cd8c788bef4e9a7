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

  /// The same, for what a request does, whose logger this is.
  public func logging(to logger: Logger) -> RealtimePublisher {
    RealtimePublisher(publisher: publisher, appID: appID, logger: logger)
  }

  /// Publishes events of one user as one message. A failure is logged and no more: the change itself is stored, and
  /// clients see it when they next load.
  public func tell(_ events: [RealtimeMessage.Event], to user: UserID) async {
    guard !events.isEmpty else { return }
    await publish(RealtimeMessage(events: events), to: Shard.of(user))
  }

  /// Publishes what became of notifications, and what follows from it, of any number of users. A failure is logged and no
  /// more.
  ///
  /// - Parameters:
  ///   - changes: By the order in which they are to be told.
  ///   - contents: What the changed ones say.
  ///   - events: Told after the changes.
  /// - Returns: Whether all of it was published.
  @discardableResult
  public func tell(
    changes: [RealtimeMessage.Change],
    contents: [NotificationContent],
    events: [RealtimeMessage.Event]
  ) async -> Bool {
    for (shard, message) in RealtimeMessage.messages(changes: changes, contents: contents, events: events) {
      // Whoever waits here answers a request: the next would wait for the broker as long as this one did.
      guard await publish(message, to: shard) else { return false }
    }
    return true
  }

  /// Tells a user's connections what became of their notifications, and the unread count; in one message as a rule. A failure
  /// is logged and no more.
  public func tell(_ update: InboxUpdate, of user: UserID) async {
    let changed = update.changed.enumerated().map { index, item in
      RealtimeMessage.Change(userId: user, state: .changed(item.own, content: index))
    }
    let deleted = update.deleted.map { RealtimeMessage.Change(userId: user, state: .deleted($0)) }
    let read = RealtimeMessage.Event.read(update.read, count: update.read.count, unread: update.unread, of: user)
    await tell(
      changes: changed + deleted,
      contents: update.changed.map(\.content),
      events: read.isEmpty ? [RealtimeMessage.Event(kind: .unread, userId: user, unread: update.unread)] : read
    )
  }

  @discardableResult
  private func publish(_ message: RealtimeMessage, to shard: Shard) async -> Bool {
    do throws(BrokerError) {
      try await publisher.publish(
        BrokerMessage(
          body: QueueCoder.encode(message),
          contentType: "application/json",
          type: RealtimeMessage.messageType,
          appID: appID,
          timestamp: Date.now,
          isPersistent: false
        ),
        exchange: Topology.realtimeExchange,
        routingKey: shard.routingKey,
        mandatory: false
      )
      return true
    } catch {
      logger.warning("open connections were not told", metadata: ["error": "\(error)"])
      return false
    }
  }
}

extension RealtimeMessage.Event {
  /// Of those that were read; nothing if none was.
  ///
  /// - Parameters:
  ///   - ids: Those that were marked; where they are more than `ids` names, connections are told the count alone, and
  ///     clients that show them load the list again.
  ///   - count: How many were marked.
  ///   - unread: The unread count afterwards.
  static func read(_ ids: [NotificationID], count: Int, unread: Int, of user: UserID) -> [RealtimeMessage.Event] {
    guard count > 0 else { return [] }
    guard ids.count == count else { return [Self(kind: .unread, userId: user, unread: unread)] }
    return ids.map { Self(kind: .read, userId: user, notificationId: $0, unread: unread) }
  }
}
