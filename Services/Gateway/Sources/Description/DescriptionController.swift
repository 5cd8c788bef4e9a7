import Hummingbird

/// `GET /openapi.yaml` and `/asyncapi.yaml`: open to all, and the same as long as the gateway runs.
struct DescriptionController {
  init(_ dependencies: GatewayDependencies) {}

  var routes: [Route] {
    [
      .get("/openapi.yaml", .open) { request, _ in try Precondition(request).answer(Self.openAPI) },
      .get("/asyncapi.yaml", .open) { request, _ in try Precondition(request).answer(Self.asyncAPI) },
    ]
  }

  // Each is hashed once: they are large, and anybody may ask.
  private static let openAPI = yaml(APIDescription.openAPI)
  private static let asyncAPI = yaml(APIDescription.asyncAPI)

  private static func yaml(_ bytes: [UInt8]) -> Representation {
    Representation(bytes, contentType: "application/yaml", caching: "public, max-age=300")
  }
}
