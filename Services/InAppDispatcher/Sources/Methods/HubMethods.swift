public import CatalogueVersions
import Foundation
import BelfryJSON
public import Logging
import NotificationModel
public import NotificationQueue
public import NotificationStore
import Retrying
import SignalRProtocol

/// The methods that clients may call, carried out on the database. Every change is published to all of the user's connections,
/// on whatever node they are, through the broker.
public struct HubMethods: Sendable {
  private let inbox: InboxStore
  private let realtime: RealtimePublisher
  private let catalogues: CatalogueInForce
  let presence: PresenceKeeper
  private let logger: Logger

  public init(
    inbox: InboxStore,
    realtime: RealtimePublisher,
    catalogues: CatalogueInForce,
    presence: PresenceKeeper,
    logger: Logger
  ) {
    self.inbox = inbox
    self.realtime = realtime
    self.catalogues = catalogues
    self.presence = presence
    self.logger = logger
  }

  /// What is in force now; nil as long as nobody knows.
  var catalogue: Catalogue? { catalogues.isKnown ? catalogues.current.catalogue : nil }

  /// - Throws: As long as nobody knows: types of the built-in one may have the codes of others.
  private func knownCatalogue() throws -> Catalogue {
    guard let catalogue else { throw CatalogueUnknown() }
    return catalogue
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
        let marked = try await apply(.read, to: [id], of: user).count
        if marked == 0, try await inbox.item(id, of: user) == nil {
          return .error(HubOperation.failure(of: call, "id: there is no such notification"))
        }
      case .markAllAsRead:
        _ = try await apply(.read, to: nil, of: user)
      case .markAllAsSeen:
        _ = try await apply(.seen, to: nil, of: user)
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

  private func apply(
    _ operation: InboxOperation,
    to ids: [NotificationID]?,
    of user: UserID
  ) async throws -> InboxChange {
    let catalogue = try knownCatalogue()
    let change = try await inbox.apply(operation, to: ids, of: user, at: Date.now)
    if let update = try await inbox.inboxUpdate(change, of: user, catalogue: catalogue) {
      await realtime.publish(update, of: user)
    }
    return change
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
  ///
  /// - Parameter withChanges: Also what became of those before.
  func missed(
    by user: UserID,
    after seq: Int,
    limit: Int,
    withChanges: Bool,
    as hubProtocol: HubProtocol
  ) async throws -> MissedNotifications {
    let catalogue = try knownCatalogue()
    let newcomers = try await inbox.newcomers(of: user, after: seq, limit: limit)
    // What changes in between is sent live: the connection is subscribed.
    let changes = withChanges ? try await inbox.changes(of: user, after: seq, change: nil) : nil
    let locale = try await inbox.locale(of: user, catalogue: catalogue)
    let now = Date.now
    func payload(_ item: InboxItem) -> [UInt8] {
      PayloadMessage.payload(item.dto(catalogue, locale: locale).json(now: now), as: hubProtocol)
    }
    let changed = (changes?.changed ?? []).map { ("NotificationChanged", payload($0)) }
    let deleted = (changes?.deleted ?? []).map {
      ("NotificationDeleted", PayloadMessage.payload(.string($0.description), as: hubProtocol))
    }
    return MissedNotifications(
      items: newcomers.items.map { MissedNotifications.Item(seq: $0.seq, payload: payload($0)) },
      changes: (changed + deleted).map { PayloadMessage.invocation($0, [$1], as: hubProtocol) },
      hasMore: newcomers.hasMore,
      seq: newcomers.seq,
      unread: newcomers.unread
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
  /// Hub messages about what became of earlier ones.
  let changes: [[UInt8]]
  let hasMore: Bool
  /// The inbox's last `seq`.
  let seq: Int
  let unread: Int
}

/// The database has not said yet which catalogue is in force.
private struct CatalogueUnknown: TransienceReporting {
  var isTransient: Bool { true }
  var hasTimedOut: Bool { false }
  var isCancelled: Bool { false }
}
