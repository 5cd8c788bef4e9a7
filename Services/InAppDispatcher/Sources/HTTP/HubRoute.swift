/// What a path means.
enum HubRoute: Equatable {
  case negotiate(HubPath)
  case hub(HubPath)
  case live
  case ready

  /// Reads a path, whose case and one slash at the end mean nothing, as with the original hub.
  init?(path: Substring) {
    let path = (path.hasSuffix("/") ? path.dropLast() : path).lowercased()
    guard let route = Self.all[path] else { return nil }
    self = route
  }

  /// How it is written.
  var template: String {
    switch self {
    case .negotiate(let path): "\(path.rawValue)/negotiate"
    case .hub(let path): path.rawValue
    case .live: "/health/live"
    case .ready: "/health/ready"
    }
  }

  private static let all = Dictionary(
    uniqueKeysWithValues: HubPath.allCases.flatMap { hub in
      [(hub.rawValue, HubRoute.hub(hub)), ("\(hub.rawValue)/negotiate", .negotiate(hub))]
    } + [("/health/live", .live), ("/health/ready", .ready)]
  )
}
