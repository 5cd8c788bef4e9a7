public import Logging
import NotificationModel
public import NotificationStore
public import ServiceLifecycle
import Synchronization

/// Keeps what this node's clients look at in the database, where the router reads it: gone with the connection, and with
/// the node, which says every few seconds that it lives.
///
/// While the database is away, the node falls silent there, nobody counts as looking, and pushes go out.
public final class PresenceKeeper: Service {
  private let store: PresenceStore
  private let node: String
  private let logger: Logger
  /// Connections that are gone and whose rows may still be there. At most those that looked at something.
  private let ended = Mutex<[ConnectionID: UserID]>([:])

  private static let interval: Duration = .milliseconds(250)
  private static let heartbeat: Duration = .seconds(5)

  /// - Parameter node: Unique among the nodes that run.
  public init(store: PresenceStore, node: String, logger: Logger) {
    self.store = store
    self.node = node
    self.logger = logger
  }

  func start(_ user: UserID, _ connection: ConnectionID, _ entity: RelatedEntity) async throws {
    try await store.start(user, connection: connection.description, node: node, entity: entity)
  }

  func stop(_ user: UserID, _ connection: ConnectionID) async throws {
    try await store.stop([(user, connection.description)])
  }

  /// Notes that a connection is gone; its row follows soon.
  func connectionEnded(_ connection: ConnectionID, of user: UserID) {
    ended.withLock { $0[connection] = user }
  }

  /// Says that the node lives and clears up after connections, until a shutdown; then removes the node.
  public func run() async throws {
    await cancelWhenGracefulShutdown { await self.keep() }
    do {
      try await store.remove(node)
    } catch {
      logger.warning("this node's presence stays until it is forgotten", metadata: ["error": "\(error)"])
    }
  }

  private func keep() async {
    var saidAt: ContinuousClock.Instant?
    var isFailing = false
    while true {
      do {
        if saidAt.map({ .now - $0 >= Self.heartbeat }) ?? true {
          try await store.heartbeat(node)
          saidAt = .now
        }
        try await clear()
        isFailing = false
      } catch {
        if !isFailing, !Task.isCancelled {
          logger.warning("presence is not kept for now", metadata: ["error": "\(error)"])
        }
        isFailing = true
      }
      do {
        try await Task.sleep(for: Self.interval)
      } catch {
        return
      }
    }
  }

  private func clear() async throws {
    let gone = ended.withLock { ended in
      defer { ended = [:] }
      return ended
    }
    guard !gone.isEmpty else { return }
    do {
      try await store.stop(gone.map { ($0.value, $0.key.description) })
    } catch {
      ended.withLock { $0.merge(gone) { newer, _ in newer } }
      throw error
    }
  }
}
