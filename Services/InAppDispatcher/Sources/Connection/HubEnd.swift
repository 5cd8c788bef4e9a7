import SignalRProtocol

/// Why the hub ends a connection that still lives.
enum HubEnd {
  case `protocol`(HubCloseReason)
  /// The node stops, or has missed events: the client is to reconnect.
  case sentAway
  case tokenExpired

  var label: HubStatistics.EndReason {
    switch self {
    case .protocol(.byClient): .byClient
    case .protocol(.handshakeTimeout): .handshakeTimeout
    case .protocol(.handshakeRefused): .handshakeRefused
    case .protocol(.clientTimeout): .clientTimeout
    case .protocol(.protocolError(.tooManyMessages)): .tooManyMessages
    case .protocol(.protocolError): .protocolError
    case .sentAway: .sentAway
    case .tokenExpired: .tokenExpired
    }
  }
}

extension HubCloseReason {
  /// The status of the WebSocket's close frame (RFC 6455, section 7.4.1). A message of the hub has told the client more.
  var closeCode: UInt16 {
    switch self {
    case .protocolError(.messageTooLarge): 1009
    case .protocolError(.tooManyMessages): 1008
    default: 1000
    }
  }
}
