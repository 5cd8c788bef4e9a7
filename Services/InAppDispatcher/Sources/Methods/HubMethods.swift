import Foundation
public import Logging
public import NotificationModel
public import NotificationQueue
public import NotificationStore
import SignalRProtocol

/// The methods that clients may call, carried out on the database. Every change is told to all of the user's connections,
/// on whatever node they are, through the broker.
public struct HubMethods: Sendable {
  private let inbox: InboxStore
  private let realtime: RealtimePublisher
  let catalogue: Catalogue
  let presence: PresenceKeeper
  private let logger: Logger

  public init(
    inbox: InboxStore,
    realtime: RealtimePublisher,
    catalogue: Catalogue,
    presence: PresenceKeeper,
    logger: Logger
  ) {
    self.inbox = inbox
    self.realtime = realtime
    self.catalogue = catalogue
    self.presence = presence
    self.logger = logger
  }

  /// Carries out a call; everything but `Resume`, which is a matter of its connection.
  func perform(
    _ operation: HubOperation,
    of call: HubCall,
    by user: UserID,
    on connection: ConnectionID
  ) async -> HubResult {
    do {
      switch operation {
      case .markAsRead(let id):
        guard let marked = try await inbox.markRead(id, of: user, at: Date.now) else {
          return .error(HubOperation.failure(of: call, "id: there is no such notification"))
        }
        if marked.isChanged { await realtime.tellRead([id], count: 1, unread: marked.unread, of: user) }
      case .markAllAsRead:
        let marked = try await inbox.markRead(nil, of: user, at: Date.now)
        await realtime.tellRead(marked.ids, count: marked.markedCount, unread: marked.unread, of: user)
      case .startViewing(let entity):
        try await presence.start(user, connection, entity)
      case .stopViewing:
        try await presence.stop(user, connection)
      case .resume:
        break
      }
      return .value(.null)
    } catch {
      logger.warning("a client's call failed", metadata: ["method": "\(operation.name)", "error": "\(error)"])
      return .error(HubOperation.failure(of: call))
    }
  }

  /// The last `seq` of each user's inbox; empty if the database does not answer, which keeps nobody from connecting.
  func seqs(of users: [UserID]) async -> [UserID: Int] {
    do {
      return try await inbox.seqs(of: users)
    } catch {
      logger.warning("connections begin without knowing their inbox", metadata: ["error": "\(error)"])
      return [:]
    }
  }

  /// A page of what came after `seq` in the user's inbox, encoded for a connection of that protocol.
  func missed(
    by user: UserID,
    after seq: Int,
    limit: Int,
    as hubProtocol: HubProtocol
  ) async throws -> MissedNotifications {
    let changes = try await inbox.changes(of: user, after: seq, limit: limit)
    let locale = try await inbox.locale(of: user, catalogue: catalogue)
    let now = Date.now
    return MissedNotifications(
      items: changes.items.map { item in
        let payload = PayloadMessage.payload(item.dto(catalogue, locale: locale).json(now: now), as: hubProtocol)
        return MissedNotifications.Item(seq: item.seq, payload: payload)
      },
      hasMore: changes.hasMore,
      seq: changes.seq,
      unread: changes.unread
    )
  }
}

/// Some notifications by ascending `seq`.
struct MissedNotifications: Sendable {
  struct Item: Sendable {
    let seq: Int
    /// `NotificationDto` as the connection's protocol has it.
    let payload: [UInt8]
  }

  let items: [Item]
  let hasMore: Bool
  /// The inbox's last `seq`.
  let seq: Int
  let unread: Int
}
