import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import OperatorCLI

/// `belfry types` against a gateway.
@Suite struct TypesCommandTests {
  private static let own = """
    version: 1
    builtIn: false
    defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
    types: [{ code: 1, name: OrderShipped, category: Orders }]
    """

  @Test(arguments: [
    ("\"7\"", "Version 7 is in force."), ("\"0\"", "The built-in catalogue is in force; no version was applied yet."),
    ("\"6f1c2b7e3d4a\"", "The gateway's own catalogue file is in force."),
  ])
  func `what is in force is what the gateway says, with where it is from`(_ tag: String, _ heading: String)
    async throws
  {
    try await StubGateway.with { _ in
      .init(body: Self.own, headers: ["ETag": tag])
    } _: { gateway in
      let run = try await CommandRun.run(["types"], at: gateway)
      #expect(run.failure == nil && run.notes == "")
      #expect(run.lines == [heading, "Orders", "      1  OrderShipped  inApp; normal, 1 day"])
      let json = try await CommandRun.run(["types", "--json"], at: gateway)
      #expect(json.lines.count == 1 && json.output.hasPrefix("{") && json.output.contains("OrderShipped"))
      #expect(!json.output.contains("AllowanceDeposit"))
      #expect(gateway.asked.map(\.line) == Array(repeating: "GET /api/v1/admin/catalogue", count: 2))
      #expect(gateway.asked.allSatisfy { $0.headers["accept"] == "application/yaml" })
    }
  }

  @Test func `a file that is named is listed without any gateway`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-types-\(UUID()).yaml").path
    try Self.own.write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    try await StubGateway.with { _ in
      .init(status: 500)
    } _: { gateway in
      let run = try await CommandRun.run(["types", "--catalogue", file], at: gateway)
      #expect(run.lines == ["Orders", "      1  OrderShipped  inApp; normal, 1 day"])
      #expect(gateway.asked.isEmpty)
    }
  }

  @Test func `who names no gateway, and has none, sees the built-in entries and is told so`() async throws {
    let run = try await CommandRun.run(["types", "--data-dir", "/nowhere/else"])
    #expect(run.failure == nil)
    #expect(run.notes.contains("The gateway does not say what is in force: "))
    #expect(run.notes.hasSuffix("These are the built-in entries.\n"))
    #expect(run.lines == CatalogueListing(try Catalogue()).lines)
  }

  @Test func `who names a gateway gets no other catalogue instead`() async throws {
    try await StubGateway.with { _ in
      .init(status: 403, body: #"{"title":"Forbidden"}"#)
    } _: { gateway in
      let run = try await CommandRun.run(["types"], at: gateway)
      #expect(run.failure?.contains("403") == true && run.output == "")
    }
    try await StubGateway.with { _ in
      .init(body: "version: 99\n", headers: ["ETag": "\"9\""])
    } _: { gateway in
      let run = try await CommandRun.run(["types"], at: gateway)
      #expect(run.failure?.contains("newer release") == true && run.output == "")
    }
  }
}
