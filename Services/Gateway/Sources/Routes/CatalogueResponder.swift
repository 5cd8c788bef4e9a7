import CatalogueVersions
import Hummingbird
import ServiceRuntime
import Synchronization

/// Answers each request by the routes of the catalogue that is in force when it comes. They are made once for each version: a
/// request costs a lock that is held for as long as it takes to read a reference.
final class CatalogueResponder: HTTPResponder {
  typealias Context = GatewayContext

  private final class Routes: Sendable {
    let revision: Int
    let responder: RouterResponder<GatewayContext>

    init(revision: Int, _ responder: RouterResponder<GatewayContext>) {
      (self.revision, self.responder) = (revision, responder)
    }
  }

  private let make: @Sendable (AppliedCatalogue) -> RouterResponder<GatewayContext>
  private let routes: Mutex<Routes>

  /// Takes each new version as soon as the process has it.
  ///
  /// - Parameter make: What answers by a catalogue.
  init(
    _ catalogues: CatalogueInForce,
    _ make: @escaping @Sendable (AppliedCatalogue) -> RouterResponder<GatewayContext>
  ) {
    self.make = make
    let first = catalogues.revised
    routes = Mutex(Routes(revision: first.revision, make(first.catalogue)))
    catalogues.observe { [weak self] revision, catalogue in self?.take(catalogue, revision) }
    // What has come since it was asked for, and before anybody observed.
    let now = catalogues.revised
    if now.revision > first.revision { take(now.catalogue, now.revision) }
  }

  func respond(to request: Request, context: GatewayContext) async throws -> Response {
    try await routes.withLock(\.self).responder.respond(to: request, context: context)
  }

  /// Made before anybody waits for it; of two at once the later revision stays.
  private func take(_ catalogue: AppliedCatalogue, _ revision: Int) {
    let new = Routes(revision: revision, make(catalogue))
    routes.withLock { routes in
      if new.revision > routes.revision { routes = new }
    }
  }
}

extension Gateway {
  /// Serves ``routes(_:)`` by the catalogue in force.
  ///
  /// - Parameters:
  ///   - authentication: Of every route that is not open.
  ///   - origins: Of the web pages that may read answers.
  static func responder(
    _ dependencies: GatewayDependencies,
    authentication: AuthenticationMiddleware,
    origins: AllowedOrigins = .none
  ) -> CatalogueResponder {
    let telemetry = TelemetryMiddleware<GatewayContext>()
    return CatalogueResponder(dependencies.catalogues) { catalogue in
      router(dependencies.by(catalogue), authentication: authentication, telemetry: telemetry, origins: origins)
        .buildResponder()
    }
  }
}
