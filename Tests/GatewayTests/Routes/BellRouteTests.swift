import Embedded
import Foundation
import HTTPTypes
import NIOCore
import ServiceRuntime
import TestSupport
import Testing

@testable import Gateway

/// `/bell/v1/`, `/client/v1/` and `/bell/config.json`.
@Suite struct BellRouteTests {
  private let entry = "/bell/v1/belfry-bell.js"

  /// What is below a path, where it lies, and its entry.
  static let served = [
    ("/bell/v1", "Services/Gateway/Bell/served", "belfry-bell.js"),
    ("/client/v1", "Services/Gateway/Bell/client/served", "belfry.js"),
  ]

  @Test(arguments: BellRouteTests.served)
  func `modules are served to pages of every origin, as they were built in`(
    _ path: String,
    _ folder: String,
    _ entry: String
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let files = EmbeddedFile.below(folder).filter { !$0.name.hasSuffix(".gz") }
      #expect(files.contains { $0.name == entry })
      for file in files {
        let answer = try await gateway.call(.get, "\(path)/\(file.name)", headers: [.origin: "https://a.example"])
        #expect(answer.status == .ok && Array(answer.body) == file.bytes)
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        #expect(answer.headers[.contentEncoding] == nil)
        #expect(
          answer.headers[.contentType]?.hasPrefix(file.name.hasSuffix(".js") ? "text/javascript" : "text/") == true
        )
      }
    }
  }

  /// `importScripts` takes a script of another origin only as JavaScript, and where that origin lets every page have it.
  @Test func `service workers of every origin import the script for pushes`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, "/bell/v1/push-worker.js").expect(.ok)
      #expect(answer.headers[.contentType] == "text/javascript; charset=utf-8")
      let policy = try #require(HTTPField.Name("Cross-Origin-Resource-Policy"))
      #expect(answer.headers[policy] == "cross-origin")
      #expect(answer.headers[.cacheControl] == "public, max-age=300")
      let script = String(decoding: answer.body, as: UTF8.self)
      #expect(!script.contains(#/^(import|export)\b/#) && script.contains("pushsubscriptionchange"))
    }
  }

  @Test func `what has a hash in its name is cached for good, and what keeps its name is not`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let paths = BellFile.all.keys.map { ("/bell/v1", $0) } + BellFile.client.keys.map { ("/client/v1", $0) }
      for (path, name) in paths {
        let answer = try await gateway.call(.get, "\(path)/\(name)").expect(.ok)
        let isHashed = name.contains(#/^[a-z-]+-[0-9A-Z]{8}\.js$/#)
        #expect(
          answer.headers[.cacheControl] == (isHashed ? "public, max-age=31536000, immutable" : "public, max-age=300")
        )
      }
    }
  }

  @Test func `pages that have the entry of the previous release get its modules`() throws {
    let previous = EmbeddedFile.below("Services/Gateway/Bell/served/previous").map(\.name)
    for module in ["de", "event-stream", "extras", "long-polling"] {
      #expect(previous.contains { $0.hasPrefix(module) && BellFile.all[$0] != nil })
    }
  }

  /// What the entries name is beside them, and not in the other's folder.
  @Test(arguments: BellRouteTests.served)
  func `an entry's later modules are served beside it`(_ path: String, _ folder: String, _ entry: String) async throws {
    let text = EmbeddedFile.at("\(folder)/\(entry)").text
    let names = text.matches(of: #/import\("\./([^"]+)"\)/#).map { String($0.1) }
    #expect(names.count >= 2)
    try await TestGateway.withoutDatabase { gateway in
      for name in names { _ = try await gateway.call(.get, "\(path)/\(name)").expect(.ok) }
    }
  }

  @Test(arguments: BellRouteTests.served)
  func `who accepts gzip gets less, with a tag of its own`(_ path: String, _ folder: String, _ name: String)
    async throws
  {
    let entry = "\(path)/\(name)"
    try await TestGateway.withoutDatabase { gateway in
      let plain = try await gateway.call(.get, entry).expect(.ok)
      // Not through `call`, which reads every body as text.
      let compressed = try await gateway.client.execute(
        uri: entry,
        method: .get,
        headers: [.acceptEncoding: "br, gzip;q=0.8"]
      )
      #expect(compressed.headers[.contentEncoding] == "gzip")
      #expect(compressed.body == Data(EmbeddedFile.at("\(folder)/\(name).gz").bytes))
      #expect(compressed.body.count < plain.body.count / 2)
      #expect(compressed.headers[.eTag] != plain.headers[.eTag])
      #expect(compressed.headers[.vary] == "Accept-Encoding" && plain.headers[.vary] == "Accept-Encoding")
      let tag = try #require(compressed.headers[.eTag])
      let again = try await gateway.call(.get, entry, headers: [.acceptEncoding: "gzip", .ifNoneMatch: tag])
      #expect(again.status == .notModified && again.body.isEmpty)
    }
  }

  @Test(arguments: [
    ("gzip", true), ("deflate, gzip;q=1.0, *;q=0.5", true), ("*", true), ("GZIP", true), ("gzip;q=0", false),
    ("gzip; q=0.000, *", false), ("identity", false), ("", false), ("br", false), ("gzip;q=x", false),
  ])
  func `gzip is for whom it is named`(_ header: String, _ isAccepted: Bool) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.client.execute(uri: entry, method: .get, headers: [.acceptEncoding: header])
      #expect((answer.headers[.contentEncoding] == "gzip") == isAccepted)
    }
  }

  @Test(arguments: [
    "bell/v1/belfry-bell.js.gz", "bell/v1/make", "bell/v1/..%2Fmake", "bell/v1/BELFRY-BELL.JS", "bell/v1/openapi.yaml",
    "bell/v1/belfry.js", "client/v1/belfry-bell.js", "client/v1/belfry.js.gz", "client/v1/listeners.js",
  ])
  func `there is nothing else`(_ path: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, "/\(path)")
      #expect(answer.status == .notFound || answer.status == .badRequest)
    }
  }

  @Test func `pages hear where the hub is, and what one call may ask for`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.get, "/bell/config.json").expect(.ok)
      let body = try answer.json()
      #expect(body["hub"] as? String == "/hubs/notifications")
      #expect(body["limits"] as? [String: Int] == ["pageSize": 50, "notificationIds": 1_000])
      #expect(answer.headers[.accessControlAllowOrigin] == "*")
    }
  }

  @Test func `pages whose origin is listed are told so, here too`() async throws {
    let edge = EdgeConfiguration(allowedOrigins: try #require(AllowedOrigins("https://a.example")))
    try await TestGateway.withoutDatabase(edge: edge) { gateway in
      let answer = try await gateway.call(.get, entry, headers: [.origin: "https://a.example"]).expect(.ok)
      #expect(answer.headers[.accessControlAllowOrigin] == "https://a.example")
      #expect(answer.headers[values: .vary].joined(separator: ", ") == "Accept-Encoding, Origin")
    }
  }
}
