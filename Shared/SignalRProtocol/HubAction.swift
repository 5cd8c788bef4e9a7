/// What a connection's owner has to do next.
public enum HubAction: Sendable, Equatable {
  /// Send these bytes as one frame.
  case send([UInt8])
  /// The handshake is done: from now on the connection may receive messages.
  case established
  /// Handle a message that the client sent.
  case handle(HubMessage)
  /// Send what is pending and close; nothing more will be received or sent.
  case close(HubCloseReason)
}

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
