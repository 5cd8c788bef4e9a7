public import NotificationModel

extension Catalogue {
  /// By what requests, events and stored rows ask a version for something: codes and names of types, names of events, in small
  /// letters.
  public var versionNames: [String] {
    Set(types.flatMap { [String($0.code), $0.name.lowercased()] } + events.map { $0.name.lowercased() }).sorted()
  }
}
