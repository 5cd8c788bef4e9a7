import Authentication
import HTTPTypes
import TestSupport
import Testing
import Yams

@testable import Gateway

/// `/openapi.yaml` and `/asyncapi.yaml`, and whether they tell the truth.
@Suite struct DescriptionTests {
  @Test func `the descriptions are served as they were built in, and who has one is told so`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      for (path, bytes) in [
        ("/openapi.yaml", APIDescription.openAPI), ("/asyncapi.yaml", APIDescription.asyncAPI),
      ] {
        let first = try await gateway.call(.get, path).expect(.ok)
        #expect(Array(first.body) == bytes && !bytes.isEmpty)
        #expect(first.headers[.contentType] == "application/yaml")
        #expect(first.headers[.cacheControl] == "public, max-age=300")
        let tag = try #require(first.headers[.eTag])
        let again = try await gateway.call(.get, path, headers: [.ifNoneMatch: tag]).expect(.notModified)
        #expect(again.body.isEmpty && again.headers[.eTag] == tag)
      }
    }
  }

  @Test func `both are valid, and so is every example in them`() async throws {
    let objections = try await DescriptionJudge.shared.objectionsToDescriptions()
    #expect(objections == [], "\(objections)")
  }

  @Test func `openapi_yaml describes exactly the routes that there are, and who may call them`() throws {
    let described = try Self.described()
    var served: [String: Access] = [:]
    for route in try TestGateway.routes() {
      let path = route.path.replacing(#/:([A-Za-z]+)/#) { "{\($0.1)}" }
      served["\(route.method.rawValue) \(path)"] = route.access
    }
    #expect(Set(described.keys).subtracting(served.keys) == [], "described, but no route")
    #expect(Set(served.keys).subtracting(described.keys) == [], "a route, but not described")
    for (name, access) in served { #expect(described[name] == access, "\(name)") }
  }

  /// What the description has of this gateway's own port.
  private static func described() throws -> [String: Access] {
    let yaml = String(decoding: APIDescription.openAPI, as: UTF8.self)
    let document = try #require(try Yams.load(yaml: yaml) as? [String: Any])
    let paths = try #require(document["paths"] as? [String: [String: Any]])
    var found: [String: Access] = [:]
    for (path, item) in paths where item["servers"] == nil {
      for method in ["get", "put", "post", "delete", "options", "head", "patch", "trace"] {
        guard let operation = item[method] as? [String: Any] else { continue }
        found["\(method.uppercased()) \(path)"] = try access(operation["security"] ?? document["security"])
      }
    }
    return found
  }

  private static func access(_ security: Any?) throws -> Access {
    var roles: [String: [String]] = [:]
    for requirement in try #require(security as? [[String: [String]]]) { roles.merge(requirement) { $0 + $1 } }
    switch (roles["bearer"], roles["apiKey"]) {
    case (nil, nil): return .open
    case (["user"], nil): return .user
    case (["admin"], nil): return .admin
    case (["service"], let scopes?):
      try #require(scopes.count == 1)
      return .service(try #require(Scope(rawValue: scopes[0])))
    default: throw Unknown(security: "\(roles)")
    }
  }

  private struct Unknown: Error {
    let security: String
  }
}
