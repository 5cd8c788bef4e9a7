import NIOCore
import NotificationModel
import ServiceRuntime
import SignalRProtocol

/// What a client wants of a connection.
enum HubRequest: Sendable {
  case webSocket
  case eventStream
  case poll
  case send
  case delete
}

/// What the directory says to a request.
enum Admission {
  /// Counted in: from now on somebody has to count it out.
  case opened(HubTicket)
  /// It is about a connection that lives on this loop.
  case existing(ConnectionID, loop: Int)
  /// A message that came before its transport is kept for it.
  case buffered
  case refused(OpeningRefusal)
}

/// The right to one connection.
struct HubTicket: Sendable {
  let id: ConnectionID
  let user: UserID
  let network: ClientNetwork
  let path: HubPath
  let transport: HubTransport
  /// Whether the client knows the id, so that it can be asked for.
  let isNegotiated: Bool
  /// Whether the client asked for stateful reconnect in its negotiation.
  let isStateful: Bool
  /// What the client sent before its transport came.
  let early: [UInt8]
}

/// Who asks, and by which token.
struct HubCaller: Sendable {
  let user: UserID
  let network: ClientNetwork
  let path: HubPath
  /// When the token ends; nil where that ends no connection.
  let expiresAt: NIODeadline?
}
