import ArgumentParser
import ConsoleCommands
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import Workshop

/// `belfry-dev run --catalogue`: checked before anything starts, and applied once it runs.
@Suite struct CatalogueFileTests {
  private func with<Result>(_ text: String, _ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.appending(path: "shop-\(UUID().uuidString).yaml").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(text.utf8).write(to: URL(filePath: path))
    return try await body(path)
  }

  @Test func `a good file is read as it stands`() async throws {
    try await with(Shop.yaml) { path in
      let file = try CatalogueFile(path)
      #expect(file.text == Shop.yaml)
      #expect(file.catalogue.type(.name("OrderShipped"))?.code == 2001)
      #expect(file.name == URL(filePath: path).lastPathComponent)
    }
  }

  @Test func `each mistake is named behind the file's name`() async throws {
    let text = Shop.yaml.replacing("code: 2001", with: "cude: 2001").replacing("inApp: true", with: "inAp: true")
    try await with(text) { path in
      let refusal = try #require(throws: CatalogueFile.Refusal.self) { _ = try CatalogueFile(path) }
      #expect(refusal.lines.count >= 2)
      #expect(refusal.lines.allSatisfy { $0.hasPrefix("\(path):") && !$0.contains("\n") }, "\(refusal)")
      for word in ["cude", "inAp"] { #expect(refusal.description.contains(word), "\(refusal)") }
    }
  }

  @Test func `what is no file, or too large a one, is refused`() async throws {
    let missing = try #require(throws: CatalogueFile.Refusal.self) { _ = try CatalogueFile("/nowhere/shop.yaml") }
    let advice = "`belfry init /nowhere/shop.yaml` writes one to begin with."
    #expect(missing.lines == ["/nowhere/shop.yaml: there is no such file: \(advice)"])
    #expect(throws: CatalogueFile.Refusal.self) { _ = try CatalogueFile("/tmp") }
    try await with(Shop.yaml + String(repeating: "#", count: CatalogueText.maximumBytes)) { path in
      let refusal = try #require(throws: CatalogueFile.Refusal.self) { _ = try CatalogueFile(path) }
      #expect(refusal.description.contains("has more than 1048576 bytes"))
    }
  }

  @Test func `a run with a catalogue that is not good starts nothing, and fails`() async throws {
    try await with("version: 2\n") { path in
      let command = try #require(try WorkshopCommand.parseAsRoot(["run", "--catalogue", path]) as? RunCommand)
      let status = await #expect(throws: (any Error).self) { try await command.run() }
      #expect(status.map(WorkshopCommand.exitCode)?.rawValue == 1)
    }
  }

  @Test func `it is put as it stands, by an admin, and the answer says which version it is`() async throws {
    try await with(Shop.yaml) { path in
      let file = try CatalogueFile(path)
      try await StubGateway.with { _ in
        .init(
          body:
            #"{"version":3,"appliedAt":"2026-11-27T06:00:00Z","changes":[{"kind":"typeAdded","name":"A","text":"A is new."}]}"#
        )
      } _: { stub in
        let version = try await CatalogueInGateway(url: stub.url, token: "admin").apply(file)
        #expect(version == .init(version: 3, changes: [.init(text: "A is new.")]))
        let asked = try #require(stub.asked.first)
        #expect(asked.line == "PUT /api/v1/admin/catalogue")
        #expect(asked.body == Shop.yaml)
        let headers = Dictionary(asked.headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
        #expect(headers["content-type"] == "application/yaml")
        #expect(headers["authorization"] == "Bearer admin")
      }
    }
  }

  @Test func `what the gateway refuses is shown with its place`() async throws {
    try await with(Shop.yaml) { path in
      let file = try CatalogueFile(path)
      try await StubGateway.with { _ in
        .init(
          status: 400,
          body: #"{"title":"Bad Request","problems":[{"line":7,"column":3,"path":"types[0]","message":"is wrong"}]}"#
        )
      } _: { stub in
        let refusal = await #expect(throws: CatalogueInGateway.Refusal.self) {
          _ = try await CatalogueInGateway(url: stub.url, token: "admin").apply(file)
        }
        #expect(
          refusal?.description == "The gateway refused \(path) with 400:\n\(path):7:3: types[0]: is wrong"
        )
      }
    }
  }

  @Test
  func `where no version was applied the built-in one is in force, else the version, and nothing where nobody knows`()
    async throws
  {
    for (body, tag, types) in [("version: 1\n", "\"0\"", 0), (Shop.yaml, "\"3\"", 2)] {
      try await StubGateway.with { _ in
        .init(body: body, headers: ["ETag": tag])
      } _: { stub in
        let inForce = try await CatalogueInGateway(url: stub.url, token: "admin").inForce()
        #expect(inForce == .init(tag: tag, text: types == 0 ? nil : body))
        #expect(try inForce.catalogue().types.count == (try Catalogue().types.count) + types)
      }
    }
    try await StubGateway.with { question in
      question.headers["if-none-match"] == "\"3\""
        ? .init(status: 304, body: "") : .init(body: Shop.yaml, headers: ["ETag": "\"3\""])
    } _: { stub in
      try await GatewayClient.using(url: stub.url) { gateway in
        let catalogues = CatalogueInGateway(url: stub.url, token: "admin")
        let other = try await catalogues.change(from: "\"2\"", gateway)
        #expect(other == .init(tag: "\"3\"", text: Shop.yaml))
        let same = try await catalogues.change(from: "\"3\"", gateway)
        #expect(same == nil)
        #expect(stub.asked.allSatisfy { $0.headers["authorization"] == "Bearer admin" })
      }
    }
    try await StubGateway.with { _ in
      .init(status: 500)
    } _: { stub in
      try await GatewayClient.using(url: stub.url) { gateway in
        let unknown = try await CatalogueInGateway(url: stub.url, token: "admin").change(from: nil, gateway)
        #expect(unknown == nil)
      }
      await #expect(throws: GatewayRefusal.self) {
        _ = try await CatalogueInGateway(url: stub.url, token: "admin").inForce()
      }
    }
  }
}
