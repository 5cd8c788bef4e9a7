extension Route {
  /// The same as long as nobody knows which catalogue is in force: what depends on it answers 503, and that is nearly all. An
  /// operator may apply another one: the one in force may be one that this release cannot read.
  var awaitingCatalogue: Route {
    let needsCatalogue = path.hasPrefix("/api/v1/") || path.hasPrefix("/unsubscribe/") || path == "/catalogue"
    guard needsCatalogue, !path.hasPrefix("/api/v1/admin/catalogue") else { return self }
    return Route(method, path, access) { _, _ in throw Problem.catalogueUnknown }
  }
}

extension Problem {
  fileprivate static let catalogueUnknown = Problem.unavailable("it is not known yet which catalogue is in force")
}
