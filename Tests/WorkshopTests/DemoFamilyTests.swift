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
    let words = ["send", "--group", DemoFamily.group, "--type", DemoFamily.type, "--data", "amount=$5.00"]
    #expect(throws: Never.self) { _ = try BelfryCommand.parseAsRoot(words) }
  }
}
