import Hummingbird
import ServiceRuntime

extension Gateway {
  /// Serves ``routes(_:)``.
  ///
  /// - Parameters:
  ///   - authentication: Of every route that is not open.
  ///   - origins: Of the web pages that may read answers.
  static func router(
    _ parts: GatewayParts,
    authentication: AuthenticationMiddleware,
    origins: AllowedOrigins = .none
  ) -> Hummingbird.Router<GatewayContext> {
    let routes = routes(parts)
    let router = Hummingbird.Router(context: GatewayContext.self)
    if let telemetry = TelemetryMiddleware<GatewayContext>() { router.add(middleware: telemetry) }
    router.add(
      middleware: EdgeMiddleware(crossOrigin: CrossOrigin(origins: origins), limits: authentication.limits)
    )
    router.add(middleware: ProblemMiddleware(paths: KnownPaths(routes)))
    router.add(middleware: PathMiddleware())
    let authenticated = router.group().add(middleware: authentication)
    for route in routes {
      for method in route.methods {
        if route.access == .open {
          router.on(RouterPath(route.path), method: method, responder: route)
        } else {
          authenticated.on(RouterPath(route.path), method: method, responder: route)
        }
      }
    }
    return router
  }
}
