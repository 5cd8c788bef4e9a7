/// What a path means.
enum HubRoute {
  case negotiate
  case hub
  case live
  case ready

  /// The hub has two names, for two families of clients.
  static let hubPaths = ["/hubs/notifications", "/hub/family"]

  init?(path: Substring) {
    switch path {
    case "/health/live": self = .live
    case "/health/ready": self = .ready
    default:
      if Self.hubPaths.contains(where: { $0 == path }) {
        self = .hub
      } else if Self.hubPaths.contains(where: { "\($0)/negotiate" == path }) {
        self = .negotiate
      } else {
        return nil
      }
    }
  }
}
