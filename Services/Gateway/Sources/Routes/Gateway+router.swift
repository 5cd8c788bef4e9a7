import Hummingbird
import ServiceRuntime

extension Gateway {
  /// Serves ``routes(_:)``.
  ///
  /// - Parameters:
  ///   - authentication: Of every route that is not open.
  ///   - origins: Of the web pages that may read answers.
  static func router(
    _ parts: GatewayDependencies,
    authentication: AuthenticationMiddleware,
    origins: AllowedOrigins = .none
  ) -> Hummingbird.Router<GatewayContext> {
    let routes = routes(parts)
    let router = Hummingbird.Router(context: GatewayContext.self)
    if let telemetry = TelemetryMiddleware<GatewayContext>() { router.add(middleware: telemetry) }
    // Every request passes these three, so they are one type to the compiler: added one by one, each would be called through an
    // existential and a closure.
    router.addMiddleware {
      EdgeMiddleware(crossOrigin: CrossOrigin(origins: origins), limits: authentication.limits)
      ProblemMiddleware(paths: KnownPaths(routes))
      PathMiddleware()
    }
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
