import Foundation
import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import Gateway

/// `GET /catalogue`
@Suite struct CatalogueRouteTests {
  @Test func `anybody may know the types`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, "/catalogue").expect(.ok)
      #expect(answer.headers[.contentType] == "application/json")
      let types = try answer.list("types")
      #expect(types.count == (try TestGateway.catalogue.get().types.count))
      let deposit = try #require(types.first { $0["code"] as? Int == 10 })
      #expect(deposit["name"] as? String == "AllowanceDeposit" && deposit["category"] as? String == "Allowance")
      #expect(deposit["channels"] as? [String: Bool] == ["inApp": true, "push": true, "email": false])
      #expect(try answer.json()["rules"] == nil)
    }
  }

  @Test func `who has it already is told so`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      for path in ["/catalogue", "/catalogue?locale=de", "/catalogue/schema.json"] {
        let first = try await gateway.call(.get, path).expect(.ok)
        let tag = try #require(first.headers[.eTag])
        #expect(first.headers[.cacheControl] == "public, max-age=300")
        let again = try await gateway.call(.get, path, headers: [.ifNoneMatch: tag]).expect(.notModified)
        #expect(again.body.isEmpty && again.headers[.eTag] == tag)
        _ = try await gateway.call(.get, path, headers: [.ifNoneMatch: "\"another\""]).expect(.ok)
      }
    }
  }

  @Test func `the schema that is served is the one that checks files as the parser does`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, "/catalogue/schema.json").expect(.ok)
      #expect(answer.headers[.contentType] == "application/schema+json")
      #expect(Array(answer.body) == Catalogue.schema)
      #expect(try answer.json()["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    }
  }
}
