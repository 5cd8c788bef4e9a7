/// What a path means.
enum HubRoute: Equatable {
  case negotiate(HubPath)
  case hub(HubPath)
  case live
  case ready

  init?(path: Substring) {
    switch path {
    case "/health/live": self = .live
    case "/health/ready": self = .ready
    default:
      for hub in HubPath.allCases {
        if path == hub.rawValue {
          self = .hub(hub)
          return
        }
        if path == "\(hub.rawValue)/negotiate" {
          self = .negotiate(hub)
          return
        }
      }
      return nil
    }
  }
}

/// The hub's two names, for two families of clients. They differ in the form of some events' arguments.
enum HubPath: String, CaseIterable, Sendable {
  case notifications = "/hubs/notifications"
  case family = "/hub/family"
}
