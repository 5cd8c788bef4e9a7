/// Why a connection ends from the protocol's point of view.
public enum HubCloseReason: Sendable, Equatable, CustomStringConvertible {
  /// The client said so.
  case byClient
  case handshakeTimeout
  case handshakeRefused
  case clientTimeout
  case protocolError(HubProtocolError)

  public var description: String {
    switch self {
    case .byClient: "closed by the client"
    case .handshakeTimeout: "no handshake in time"
    case .handshakeRefused: "handshake refused"
    case .clientTimeout: "the client fell silent"
    case .protocolError(let error): error.description
    }
  }
}
