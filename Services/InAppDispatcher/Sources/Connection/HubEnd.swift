import SignalRProtocol

/// Why the hub ends a connection that still lives.
enum HubEnd {
  case `protocol`(HubCloseReason)
  /// The node stops, or has missed events: the client is to reconnect.
  case sentAway
  case tokenExpired
  case tooManyMessages

  var label: HubStatistics.EndReason {
    switch self {
    case .protocol(.byClient): .byClient
    case .protocol(.handshakeTimeout): .handshakeTimeout
    case .protocol(.handshakeRefused): .handshakeRefused
    case .protocol(.clientTimeout): .clientTimeout
    case .protocol(.protocolError): .protocolError
    case .sentAway: .sentAway
    case .tokenExpired: .tokenExpired
    case .tooManyMessages: .tooManyMessages
    }
  }
}
