public import Broker
import Foundation
public import Logging
public import NotificationModel

/// Publishes to users' open connections what happened elsewhere.
public struct RealtimePublisher: Sendable {
  private let publisher: any MessagePublisher
  private let appID: String
  private let logger: Logger

  /// - Parameter appID: The service that publishes, e.g. `belfry-gateway`.
  public init(publisher: any MessagePublisher, appID: String, logger: Logger) {
    self.publisher = publisher
    self.appID = appID
    self.logger = logger
  }

  /// The same, for what a request does, whose logger this is.
  public func logging(to logger: Logger) -> RealtimePublisher {
    RealtimePublisher(publisher: publisher, appID: appID, logger: logger)
  }

  /// Publishes what became of notifications, and what follows from it, of any number of users. A failure is logged and no
  /// more: the change itself is stored, and clients see it when they next load.
  ///
  /// - Parameters:
  ///   - changes: By the order in which they are to be sent.
  ///   - contents: What the changed ones say.
  ///   - events: Sent after the changes.
  /// - Returns: Whether all of it was published.
  @discardableResult
  public func publish(
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

  /// Publishes to a user's connections what became of their notifications, and the unread count; in one message as a rule. A failure
  /// is logged and no more.
  public func publish(_ update: InboxUpdate, of user: UserID) async {
    let changed = update.changed.enumerated().map { index, item in
      RealtimeMessage.Change(userId: user, state: .changed(item.own, content: index))
    }
    let deleted = update.deleted.map { RealtimeMessage.Change(userId: user, state: .deleted($0)) }
    await publish(
      changes: changed + deleted,
      contents: update.changed.map(\.content),
      events: RealtimeMessage.Event.all(update, of: user)
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
      logger.warning("open connections were not notified", metadata: ["error": "\(error)"])
      return false
    }
  }
}

extension RealtimeMessage.Event {
  /// Each that was read, with the unread count; the count alone where none is named.
  static func all(_ update: InboxUpdate, of user: UserID) -> [RealtimeMessage.Event] {
    guard !update.read.isEmpty else { return [Self(.unread, userId: user, unread: update.unread)] }
    return update.read.map { Self(.read($0), userId: user, unread: update.unread) }
  }
}
