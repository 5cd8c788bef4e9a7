import ArgumentParser
import ConsoleCommands
import NotificationModel
import OperatorCLI
import Testing
import TestSupport

@testable import Workshop

/// The family that `belfry-dev run` and `belfry-dev demo` make.
@Suite struct DemoFamilyTests {
  @Test func `it is made as a backend and its members would, each with their own token`() async throws {
    try await StubGateway.with { _ in
      .init(body: "{}")
    } _: { stub in
      try await GatewayClient.using(url: stub.url) { gateway in
        let story = DemoFamily.story(try Catalogue())
        try await story.make(gateway, serviceToken: "backend") { "of-\($0.name)" }
      }
      let asked = stub.asked.map { "\($0.line) \($0.headers["authorization"] ?? $0.headers["Authorization"] ?? "")" }
      let expected = DemoFamily.people.flatMap { member in
        [
          "PUT /api/v1/users/\(member.id) Bearer backend", "POST /api/v1/devices Bearer of-\(member.name)",
          "PUT /api/v1/notifications/preferences Bearer of-\(member.name)",
        ]
      }
      #expect(asked == expected + ["PUT /api/v1/groups/family%3Ademo Bearer backend"])
      for member in DemoFamily.people { #expect(stub.asked.last?.body.contains(member.id) == true) }
    }
  }

  @Test func `what is shown to send with can be typed`() throws {
    let request = try #require(Welcome.Request(of: DemoFamily.story(try Catalogue())))
    #expect(request.options.hasPrefix("--group family:demo --type AllowanceDeposit --data 'amount=$5.00' --data "))
    let words = ["send", "--group", DemoFamily.group, "--type", DemoFamily.type, "--data", "amount=$5.00"]
    #expect(throws: Never.self) { _ = try BelfryCommand.parseAsRoot(words) }
  }

  @Test(arguments: [("version: 1\n", "\"0\"", "Maria"), (Shop.yaml, "\"3\"", "Alex")])
  func `who is made, and with what, is for the catalogue in force`(_ file: String, _ tag: String, _ name: String)
    async throws
  {
    try await StubGateway.with { question in
      question.method == "GET" ? .init(body: file, headers: ["ETag": tag]) : .init(body: "{}")
    } _: { stub in
      let story = try await DemoStory.of(inForce: CatalogueInGateway(url: stub.url, token: "admin"))
      #expect(story.people.first?.name == name)
      #expect(stub.asked.map(\.line) == ["GET /api/v1/admin/catalogue"])
      try await GatewayClient.using(url: stub.url) { gateway in
        try await story.make(gateway, serviceToken: "backend") { "of-\($0.name)" }
      }
      // A preference of a type that is not in force would be refused.
      let isFamily = name == "Maria"
      #expect(stub.asked.contains { $0.line == "PUT /api/v1/notifications/preferences" } == isFamily)
      let type = try #require(Welcome.Request(of: story)).type
      #expect(type == (isFamily ? "AllowanceDeposit" : "OrderShipped"))
    }
  }
}
