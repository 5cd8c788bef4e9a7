import CatalogueVersions
import Hummingbird
import ServiceRuntime

extension Gateway {
  /// Serves ``routes(_:)``.
  ///
  /// - Parameters:
  ///   - authentication: Of every route that is not open.
  ///   - telemetry: Measures all of the gateway's requests; nil is nobody.
  ///   - origins: Of the web pages that may read answers.
  static func router(
    _ dependencies: GatewayDependencies,
    authentication: AuthenticationMiddleware,
    telemetry: TelemetryMiddleware<GatewayContext>? = nil,
    origins: AllowedOrigins = .none
  ) -> Hummingbird.Router<GatewayContext> {
    let routes = dependencies.catalogues.isKnown ? routes(dependencies) : routes(dependencies).map(\.awaitingCatalogue)
    let router = Hummingbird.Router(context: GatewayContext.self)
    if let telemetry { router.add(middleware: telemetry) }
    // Every request passes these three, so they are one type to the compiler: added one by one, each would be called through an
    // existential and a closure.
    router.addMiddleware {
      EdgeMiddleware(crossOrigin: CrossOrigin(origins: origins), limits: authentication.limits)
      ProblemMiddleware(paths: KnownPaths(routes, absent: absentPaths(dependencies)))
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
