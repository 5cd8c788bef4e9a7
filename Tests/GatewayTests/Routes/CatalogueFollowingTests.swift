import CatalogueVersions
import Foundation
import HTTPTypes
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Gateway

/// A gateway that follows the catalogue's versions.
struct CatalogueFollowingTests {
  private static let send = #"{"to":{"users":["\#(UserID(UUID()))"]},"type":"Tide","data":{"height":"3"}}"#

  private static func text(_ name: String, category: String = "Water") -> String {
    """
    version: 1
    defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 30, title: T, body: High }
    types: [{ code: 900, name: \(name), category: \(category), title: "It is {{height}} m" }]
    """
  }

  private static func with(
    _ body: @escaping @Sendable (TestGateway, CatalogueInForce, CatalogueVersionStore) async throws -> Void
  ) async throws {
    try await TestGateway.with { first in
      let store = CatalogueVersionStore(client: first.database)
      let catalogues = try CatalogueInForce(file: "", store: store, logger: .quiet)
      try await first.beside(catalogues: catalogues) { try await body($0, catalogues, store) }
    }
  }

  private static func apply(_ text: String, _ store: CatalogueVersionStore) async throws {
    let newest = try await store.newest()
    #expect(try await store.apply(text, changes: [], by: "ann", expecting: newest, at: .now) != nil)
  }

  @Test func `a version is what the next request is judged by, without a restart`() async throws {
    try await Self.with { gateway, catalogues, store in
      let shop = try await Caller.service()
      func send() async throws -> HTTPResponse.Status {
        try await gateway.call(.post, "/api/v1/notifications", as: shop, body: Self.send).status
      }
      try await catalogues.refresh()
      #expect(try await send() == .badRequest)
      try await Self.apply(Self.text("Tide"), store)
      #expect(try await send() == .badRequest)
      try await catalogues.refresh()
      #expect(try await send() == .accepted)
      let waiting = Self.send.dropLast() + #","sendAt":"\#((Date.now + 3_600).ISO8601Format())"}"#
      _ = try await gateway.call(.post, "/api/v1/notifications", as: shop, body: String(waiting)).expect(.accepted)
      try await Self.apply(Self.text("Ebb"), store)
      try await catalogues.refresh()
      #expect(try await send() == .badRequest)
      #expect(gateway.ingested.map(\.catalogueVersion) == [1])
      let stored = try await gateway.database.query("SELECT catalogue_version FROM schedules")
      #expect(try stored.map { try $0.get(0, as: Int?.self) } == [1])
    }
  }

  @Test func `what apps read, paths and methods go with the version`() async throws {
    try await Self.with { gateway, catalogues, store in
      try await catalogues.refresh()
      let before = try await gateway.call(.get, "/catalogue").expect(.ok)
      try await Self.apply(Self.text("Tide"), store)
      try await catalogues.refresh()
      let after = try await gateway.call(.get, "/catalogue").expect(.ok)
      #expect(!before.text.contains("Water") && after.text.contains("Water"))
      #expect(before.headers[.eTag] != after.headers[.eTag])
      _ = try await gateway.call(.delete, "/catalogue").expect(.methodNotAllowed)
      _ = try await gateway.call(.get, "/api/v1/nothing").expect(.notFound)
    }
  }

  @Test func `until the database has said what is in force nothing is judged`() async throws {
    try await Self.with { gateway, catalogues, store in
      let shop = try await Caller.service()
      try await Self.apply(Self.text("Tide"), store)
      for (method, path) in [(HTTPRequest.Method.post, "/api/v1/notifications"), (.get, "/catalogue")] {
        let body = method == .post ? Self.send : nil
        _ = try await gateway.call(method, path, as: shop, body: body).expect(.serviceUnavailable)
      }
      _ = try await gateway.call(.post, "/api/v1/notifications", body: Self.send).expect(.unauthorized)
      _ = try await gateway.call(.get, "/health/live").expect(.ok)
      _ = try await gateway.call(.get, "/openapi.yaml").expect(.ok)
      #expect(gateway.ingested.isEmpty)
      try await catalogues.refresh()
      _ = try await gateway.call(.post, "/api/v1/notifications", as: shop, body: Self.send).expect(.accepted)
    }
  }

  @Test func `what counts across requests outlives a version`() async throws {
    try await TestGateway.with { first in
      let store = CatalogueVersionStore(client: first.database)
      let catalogues = try CatalogueInForce(file: "", store: store, logger: .quiet)
      try await catalogues.refresh()
      try await first.beside(edge: EdgeConfiguration(userRate: 1), catalogues: catalogues) { gateway in
        let ann = try await Caller.user()
        func statuses(_ count: Int) async throws -> Set<HTTPResponse.Status> {
          var statuses: Set<HTTPResponse.Status> = []
          for _ in 0..<count {
            statuses.insert(try await gateway.call(.get, "/api/v1/notifications/unread-count", as: ann).status)
          }
          return statuses
        }
        #expect(try await statuses(50).contains(.tooManyRequests))
        try await Self.apply(Self.text("Tide"), store)
        try await catalogues.refresh()
        #expect(try await statuses(1) == [.tooManyRequests])
      }
    }
  }

  @Test func `exports and dead letters are counted together for all versions`() throws {
    let dependencies = try TestGateway.dependencies()
    let other = dependencies.by(AppliedCatalogue(dependencies.catalogue, number: 7, source: .version))
    #expect(dependencies.exports === other.exports && dependencies.deadLetterTurn === other.deadLetterTurn)
    #expect(dependencies.ingest.catalogueVersion == 0 && other.ingest.catalogueVersion == 7)
    let file = dependencies.by(AppliedCatalogue(dependencies.catalogue, source: .file("own.yaml")))
    #expect(file.ingest.catalogueVersion == nil)
  }
}
