import Hummingbird
import BelfryJSON
import NotificationModel

/// `GET /catalogue` and its schema: open to all, and the same as long as a version is in force.
struct CatalogueController {
  let catalogue: Catalogue

  init(_ dependencies: GatewayDependencies) {
    catalogue = dependencies.catalogue
  }

  var routes: [Route] {
    [
      .get("/catalogue", .open, types),
      .get("/catalogue/schema.json", .open, schema),
    ]
  }

  /// What apps show of types. `?locale=` chooses the buttons' titles.
  func types(_ request: Request, context: GatewayContext) async throws -> Response {
    var writer = JSONWriter()
    catalogue.writeOpenPart(to: &writer, locale: QueryParameters(request).text("locale"))
    return try Self.answer(writer.bytes, type: "application/json", to: request)
  }

  /// The JSON Schema of a catalogue file, for editors.
  func schema(_ request: Request, context: GatewayContext) async throws -> Response {
    try Self.answer(Catalogue.schema, type: "application/schema+json", to: request)
  }

  private static func answer(_ bytes: [UInt8], type: String, to request: Request) throws -> Response {
    try Precondition(request).answer(Representation(bytes, contentType: type, caching: "public, max-age=300"))
  }
}
