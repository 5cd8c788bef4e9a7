/// A way of carrying hub messages, as negotiation offers it. Clients throw on names they don't know.
public enum HubTransport: String, Sendable, CaseIterable {
  case webSockets = "WebSockets"
  case serverSentEvents = "ServerSentEvents"
  case longPolling = "LongPolling"

  /// Whether it carries any bytes; the others carry text only.
  public var supportsBinary: Bool {
    switch self {
    case .webSockets, .longPolling: true
    case .serverSentEvents: false
    }
  }
}
