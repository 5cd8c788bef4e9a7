import NIOCore
import NIOHTTP1
import NotificationModel
import SignalRProtocol
import Synchronization

/// What all event loops of a node must agree on: who is connected to which loop, how many there are, which ids are open.
///
/// Its lock is taken when a connection opens or closes and once for each batch of events, never for each message.
final class ConnectionDirectory: Sendable {
  enum Opening {
    case opened
    case refused(OpeningRefusal)
  }

  private struct Negotiated {
    let user: UserID
    let expiresAt: NIODeadline
    var isOpen = false
  }

  private struct Presence {
    var connections = 0
    /// Bit n: loop n holds a connection that has shaken hands.
    var loops: UInt64 = 0
  }

  private struct State {
    var users: [UserID: Presence] = [:]
    var connections = 0
    var negotiated: [String: Negotiated] = [:]
    var sweptAt = NIODeadline.now()
  }

  /// The loops of a presence's mask.
  static let maximumLoops = 64

  private let state = Mutex(State())
  private let limits: HubLimits

  init(limits: HubLimits) {
    self.limits = limits
  }

  var connectionCount: Int { state.withLock { $0.connections } }

  // MARK: Negotiation

  /// Keeps a fresh id until its transport comes or the time is over.
  func announce(_ token: String, for user: UserID, at now: NIODeadline) throws(NegotiateError) {
    let isFull = state.withLock { state in
      if now - state.sweptAt > .seconds(1) {
        state.sweptAt = now
        state.negotiated = state.negotiated.filter { $0.value.isOpen || $0.value.expiresAt > now }
      }
      guard state.negotiated.count < 2 * limits.maximumConnections else { return true }
      state.negotiated[token] = Negotiated(user: user, expiresAt: now + TimeAmount(limits.negotiationTimeout))
      return false
    }
    if isFull { throw NegotiateError.tooManyConnections }
  }

  /// The answer to a request of another transport on an id.
  func answer(to method: HTTPMethod, id: String, at now: NIODeadline) -> HTTPAnswer {
    let isOpen: Bool? = state.withLock { state in
      guard let negotiated = state.negotiated[id], negotiated.isOpen || negotiated.expiresAt > now else { return nil }
      return negotiated.isOpen
    }
    switch (isOpen, method) {
    case (nil, _): return .text(.notFound, "No Connection with that ID")
    case (true?, .POST): return .text(.methodNotAllowed, "POST requests are not allowed for WebSocket connections.")
    case (true?, _): return .text(.badRequest, "The connection uses another transport")
    case (false?, _): return .text(.notFound, "Only WebSockets are supported by this endpoint")
    }
  }

  // MARK: Connections

  /// Counts a WebSocket in, if it may open. Without a token it is a new connection of its own.
  func open(_ token: String?, for user: UserID, limits: HubLimits, at now: NIODeadline) -> Opening {
    state.withLock { state in
      if let token {
        guard let negotiated = state.negotiated[token], negotiated.user == user,
          negotiated.isOpen || negotiated.expiresAt > now
        else { return .refused(.unknownID) }
        guard !negotiated.isOpen else { return .refused(.inUse) }
      }
      guard state.connections < limits.maximumConnections else { return .refused(.nodeIsFull) }
      guard state.users[user, default: Presence()].connections < limits.maximumConnectionsPerUser else {
        return .refused(.tooManyOfUser)
      }
      if let token { state.negotiated[token]?.isOpen = true }
      state.connections += 1
      state.users[user, default: Presence()].connections += 1
      return .opened
    }
  }

  /// Counts an opened connection out.
  func close(_ token: String?, of user: UserID) {
    state.withLock { state in
      if let token { state.negotiated[token] = nil }
      state.connections -= 1
      guard var presence = state.users[user] else { return }
      presence.connections -= 1
      state.users[user] = presence.connections > 0 ? presence : nil
    }
  }

  /// The user's first connection on a loop can receive events.
  func attach(_ user: UserID, loop: Int) {
    state.withLock { $0.users[user]?.loops |= 1 << UInt64(loop) }
  }

  /// The user's last connection on a loop is going.
  func detach(_ user: UserID, loop: Int) {
    state.withLock { $0.users[user]?.loops &= ~(1 << UInt64(loop)) }
  }

  /// For each user the loops that hold their connections, as a mask.
  func loops(of users: some Sequence<UserID>) -> [UInt64] {
    state.withLock { state in users.map { state.users[$0]?.loops ?? 0 } }
  }
}
