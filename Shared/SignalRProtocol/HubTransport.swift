/// A way of carrying hub messages, as negotiation offers it. Clients throw on names they don't know.
public enum HubTransport: String, Sendable, CaseIterable {
  case webSockets = "WebSockets"
  case serverSentEvents = "ServerSentEvents"
  case longPolling = "LongPolling"

  var transferFormats: StaticString {
    switch self {
    case .webSockets, .longPolling: #"["Text","Binary"]"#
    case .serverSentEvents: #"["Text"]"#
    }
  }
}
