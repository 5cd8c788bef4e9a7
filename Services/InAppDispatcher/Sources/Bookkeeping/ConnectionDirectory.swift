import NIOCore
import NotificationModel
import ServiceRuntime
import SignalRProtocol
import Synchronization

/// What all event loops of a node must agree on: who is connected to which loop, how many there are, which ids are open.
///
/// Its lock is taken when a connection opens or closes, for requests of HTTP transports, and for those who are to get the
/// events of a realtime message, a thousand of them at a time; never for each of them.
final class ConnectionDirectory: Sendable {
  private enum Phase {
    /// Waits for its transport, with what the client has sent already.
    case negotiated(until: NIODeadline, early: [UInt8])
    case open(loop: Int, HubTransport)
  }

  private struct Entry {
    let user: UserID
    /// Stands in the token before the id.
    let node: NodeName?
    /// Whether the client asked for stateful reconnect.
    let isStateful: Bool
    /// Whether another WebSocket may take the connection up: only the handshake decides.
    var canReattach = false
    var phase: Phase
  }

  private struct UserEntry {
    var connections: Int32 = 0
    var negotiated: Int32 = 0
    /// Bytes sent to ids whose transport has not come.
    var early: Int32 = 0
    /// Bytes of bodies that have begun to come, as announced.
    var incoming: Int32 = 0
    /// The connections that receive events.
    var subscriptions = Subscriptions.none

    var isEmpty: Bool { connections == 0 && negotiated == 0 && incoming == 0 }
  }

  /// Nearly always one.
  private enum Subscriptions {
    case none
    case one(Subscription)
    case several([Subscription])

    init(_ all: [Subscription]) {
      switch all.count {
      case 0: self = .none
      case 1: self = .one(all[0])
      default: self = .several(all)
      }
    }

    var all: [Subscription] {
      switch self {
      case .none: []
      case .one(let subscription): [subscription]
      case .several(let subscriptions): subscriptions
      }
    }
  }

  private struct State {
    var users: [UserID: UserEntry] = [:]
    var networks: [ClientNetwork: Int32] = [:]
    /// TCP connections that have shown no token yet; a proxy's are not counted.
    var unauthenticated: [ClientNetwork: Int32] = [:]
    var connections = 0
    var entries: [ConnectionID: Entry] = [:]
    var sweptAt = NIODeadline.now()
  }

  /// More than any machine needs, and no more than a ``Subscription`` can tell apart.
  static let maximumLoops = 64
  /// How many users are looked up while clients that come and go wait.
  private static let portion = 1_000

  private let state = Mutex(State())
  private let limits: HubLimits

  init(limits: HubLimits) {
    self.limits = limits
  }

  var connectionCount: Int { state.withLock { $0.connections } }

  // MARK: Negotiation

  /// Keeps a fresh token until its transport comes or the time is over.
  ///
  /// - Returns: Why it is not kept, if it is not.
  func announce(
    _ token: ConnectionToken,
    for user: UserID,
    isStateful: Bool,
    at now: NIODeadline
  ) -> OpeningRefusal? {
    state.withLock { state in
      sweep(&state, now)
      var entry = state.users[user] ?? UserEntry()
      guard state.entries.count < limits.maximumIDs else { return .tooManyIDs }
      guard entry.negotiated < limits.maximumNegotiationsPerUser else { return .tooManyNegotiationsOfUser }
      entry.negotiated += 1
      state.users[user] = entry
      let until = now + TimeAmount(limits.negotiationTimeout)
      state.entries[token.id] = Entry(
        user: user,
        node: token.node,
        isStateful: isStateful,
        phase: .negotiated(until: until, early: [])
      )
      return nil
    }
  }

  /// Forgets ids whose transport did not come.
  func sweep(at now: NIODeadline) {
    state.withLock { sweep(&$0, now) }
  }

  /// At most about once a second: it looks at all ids.
  private func sweep(_ state: inout State, _ now: NIODeadline) {
    guard now - state.sweptAt > .seconds(1) else { return }
    state.sweptAt = now
    let over = state.entries.filter { _, entry in
      if case .negotiated(let until, _) = entry.phase { until <= now } else { false }
    }
    for (id, entry) in over {
      guard case .negotiated(_, let early) = entry.phase else { continue }
      state.entries[id] = nil
      guard var user = state.users[entry.user] else { continue }
      user.negotiated -= 1
      user.early -= Int32(early.count)
      state.users[entry.user] = user.isEmpty ? nil : user
    }
  }

  // MARK: Requests

  /// Says what a request leads to; counts a connection in where it opens one.
  ///
  /// - Parameters:
  ///   - text: The `id` of the request, a ``ConnectionToken``. A WebSocket without one is a connection of its own.
  ///   - body: What a POST brings.
  ///   - loop: Where a new connection would live.
  ///   - isDraining: No new connection is let in.
  func admit(
    _ request: HubRequest,
    id text: String?,
    body: [UInt8] = [],
    from caller: HubCaller,
    loop: Int,
    isDraining: Bool = false,
    at now: NIODeadline
  ) -> Admission {
    state.withLock { state in
      guard let text else {
        guard request == .webSocket else { return .refused(.idRequired) }
        guard !isDraining else { return .refused(.draining) }
        return open(.webSockets, nil, caller, loop, &state)
      }
      guard let token = ConnectionToken(text), let entry = state.entries[token.id], entry.user == caller.user,
        entry.node == token.node
      else { return .refused(.unknownID) }
      let id = token.id
      switch entry.phase {
      case .negotiated(let until, let early):
        guard until > now else { return .refused(.unknownID) }
        if isDraining, request != .send, request != .delete { return .refused(.draining) }
        switch request {
        case .webSocket: return open(.webSockets, (id, entry, early), caller, loop, &state)
        case .eventStream: return open(.serverSentEvents, (id, entry, early), caller, loop, &state)
        case .poll: return open(.longPolling, (id, entry, early), caller, loop, &state)
        case .delete: return .refused(.deleteOfOther)
        case .send:
          let bytesOfUser = Int(state.users[caller.user]?.early ?? 0) + body.count
          guard early.count + body.count <= limits.maximumMessageSize, bytesOfUser <= limits.maximumEarlySize else {
            return .refused(.tooMuchTooEarly)
          }
          state.users[caller.user]?.early = Int32(bytesOfUser)
          state.entries[id]?.phase = .negotiated(until: until, early: early + body)
          return .buffered
        }
      case .open(let loop, let transport):
        switch (request, transport) {
        case (.send, .webSockets): return .refused(.postToWebSocket)
        case (.send, _), (.poll, .longPolling), (.delete, .longPolling): return .existing(id, loop: loop)
        case (.delete, _): return .refused(.deleteOfOther)
        case (.webSocket, .webSockets): return entry.canReattach ? .existing(id, loop: loop) : .refused(.inUse)
        case (.eventStream, .serverSentEvents): return .refused(.inUse)
        case (.webSocket, _), (.eventStream, _), (.poll, _): return .refused(.otherTransport)
        }
      }
    }
  }

  private func open(
    _ transport: HubTransport,
    _ known: (id: ConnectionID, entry: Entry, early: [UInt8])?,
    _ caller: HubCaller,
    _ loop: Int,
    _ state: inout State
  ) -> Admission {
    guard state.connections < limits.maximumConnections else { return .refused(.nodeIsFull) }
    var user = state.users[caller.user] ?? UserEntry()
    guard user.connections < limits.maximumConnectionsPerUser else { return .refused(.tooManyOfUser) }
    let ofNetwork = state.networks[caller.network] ?? 0
    guard ofNetwork < limits.maximumConnectionsPerAddress else { return .refused(.tooManyOfAddress) }
    state.networks[caller.network] = ofNetwork + 1
    state.connections += 1
    user.connections += 1
    if let known {
      user.negotiated -= 1
      user.early -= Int32(known.early.count)
      state.entries[known.id]?.phase = .open(loop: loop, transport)
    }
    state.users[caller.user] = user
    return .opened(
      HubTicket(
        id: known?.id ?? .random(),
        user: caller.user,
        network: caller.network,
        path: caller.path,
        transport: transport,
        isNegotiated: known != nil,
        isStateful: known?.entry.isStateful ?? false,
        early: known?.early ?? []
      )
    )
  }

  /// The handshake has agreed on stateful reconnect: from now on another WebSocket may take the connection up.
  func allowReattaching(_ id: ConnectionID) {
    state.withLock { $0.entries[id]?.canReattach = true }
  }

  /// Counts an opened connection out.
  func close(_ ticket: HubTicket) {
    close(ticket.id, isNegotiated: ticket.isNegotiated, user: ticket.user, network: ticket.network)
  }

  func close(_ id: ConnectionID, isNegotiated: Bool, user: UserID, network: ClientNetwork) {
    state.withLock { state in
      if isNegotiated { state.entries[id] = nil }
      state.connections -= 1
      if let count = state.networks[network] { state.networks[network] = count > 1 ? count - 1 : nil }
      guard var entry = state.users[user] else { return }
      entry.connections -= 1
      state.users[user] = entry.isEmpty ? nil : entry
    }
  }

  // MARK: Bodies

  /// Counts in a body that a user has begun to send.
  ///
  /// - Parameter size: What the request announces, in bytes.
  /// - Returns: False if too much of the user's is on its way; it is not counted then.
  func beginReceiving(_ size: Int, from user: UserID) -> Bool {
    state.withLock { state in
      var entry = state.users[user] ?? UserEntry()
      guard Int(entry.incoming) + size <= limits.maximumIncomingSize else { return false }
      entry.incoming += Int32(size)
      state.users[user] = entry
      return true
    }
  }

  /// Counts a body out, which has come or never will.
  func endReceiving(_ size: Int, from user: UserID) {
    state.withLock { state in
      guard var entry = state.users[user] else { return }
      entry.incoming -= Int32(size)
      state.users[user] = entry.isEmpty ? nil : entry
    }
  }

  // MARK: Unauthenticated

  /// Counts a TCP connection in, which has shown no token yet.
  ///
  /// - Returns: False if there are too many from the network; it is not counted then.
  func admitUnauthenticated(from network: ClientNetwork) -> Bool {
    state.withLock { state in
      let count = state.unauthenticated[network] ?? 0
      guard count < limits.maximumConnectionsPerAddress else { return false }
      state.unauthenticated[network] = count + 1
      return true
    }
  }

  /// Counts one out, which has shown a token or has ended.
  func endUnauthenticated(from network: ClientNetwork) {
    state.withLock { state in
      if let count = state.unauthenticated[network] { state.unauthenticated[network] = count > 1 ? count - 1 : nil }
    }
  }

  // MARK: Events

  /// A connection of a user receives events from now on.
  func subscribe(_ user: UserID, _ subscription: Subscription) {
    state.withLock { state in
      guard let entry = state.users[user] else { return }
      state.users[user]?.subscriptions = Subscriptions(entry.subscriptions.all + [subscription])
    }
  }

  /// A connection receives no more events.
  func unsubscribe(_ user: UserID, loop: Int, _ slot: Slot) {
    state.withLock { state in
      guard let entry = state.users[user] else { return }
      let rest = entry.subscriptions.all.filter { $0.slot != slot || $0.loop != loop }
      state.users[user]?.subscriptions = Subscriptions(rest)
    }
  }

  /// The connections of these users that receive events, in the order of the users.
  func recipients(of users: some RandomAccessCollection<UserID>) -> [Addressee] {
    var recipients: [Addressee] = []
    recipients.reserveCapacity(users.count)
    var numbered = users.enumerated().makeIterator()
    for _ in stride(from: 0, to: users.count, by: Self.portion) {
      state.withLock { state in
        for _ in 0..<Self.portion {
          guard let (number, user) = numbered.next() else { return }
          switch state.users[user]?.subscriptions {
          case .one(let subscription):
            recipients.append(Addressee(user: number, subscription: subscription))
          case .several(let subscriptions):
            for subscription in subscriptions { recipients.append(Addressee(user: number, subscription: subscription)) }
          case .some(.none), nil:
            break
          }
        }
      }
    }
    return recipients
  }
}
