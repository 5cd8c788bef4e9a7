import Hummingbird

extension Gateway {
  /// Serves ``routes(_:)``.
  ///
  /// - Parameter authentication: Of every route that is not open.
  static func router(
    _ parts: GatewayParts,
    authentication: AuthenticationMiddleware
  ) -> Hummingbird.Router<GatewayContext> {
    let routes = routes(parts)
    let router = Hummingbird.Router(context: GatewayContext.self)
    if let telemetry = TelemetryMiddleware<GatewayContext>() { router.add(middleware: telemetry) }
    router.add(middleware: ProblemMiddleware(paths: KnownPaths(routes)))
    router.add(middleware: PathMiddleware())
    let authenticated = router.group().add(middleware: authentication)
    for route in routes {
      if route.access == .open {
        router.on(RouterPath(route.path), method: route.method, responder: route)
      } else {
        authenticated.on(RouterPath(route.path), method: route.method, responder: route)
      }
    }
    return router
  }
}
