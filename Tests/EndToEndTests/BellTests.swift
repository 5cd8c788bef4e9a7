import Authentication
import Foundation
import LocalStack
import Postgres
import Testing
import TestSupport

extension EndToEndTests {
  /// The web bell in Chromium with real services behind it: those tests of Tests/BellTests that need nothing of its stub.
  @Suite(.serialized, .timeLimit(.minutes(10))) struct BellTests {
    /// What Tests/BellTests/world.py reads.
    private struct Description: Encodable {
      var gateway: String
      var hub: String
      var origin: String
      var serviceToken: String
      var secret: String
      var node: Int32?
      var pushSocket: String
    }

    /// What a click on a push opens.
    private static let link = "https://shop.example/orders"

    @Test func `list and count are the database's, whatever happens in between`() async throws {
      try await onStack { stack, origin, file in try await test(stack, origin, file) }
    }

    /// Nothing is replaced: the gateway takes Firefox's own subscription, router and dispatcher make the push, Firefox gets it from the
    /// simulator and decrypts it, and Belfry's worker shows and reports it.
    @Test func `Firefox reads what Belfry encrypts for it, and what it displayed is counted`() async throws {
      try await onStack { stack, origin, file in
        try await TestStack.with(stack) { belfry in
          try await test(stack, origin, file, ["test_firefox_stack.py"])
          let noted = try await belfry.database.query("SELECT action FROM engagement").map {
            try $0.get(0, as: String.self)
          }
          #expect(noted.count == 1 && noted.first?.hasPrefix("(displayed:") == true, "\(noted)")
          try await eventually("it is recorded as delivered") {
            try await belfry.database.query("SELECT outcome FROM deliveries WHERE channel = 2")
              .map { try $0.get(0, as: Int.self) } == [1]
          }
          let push = try #require(try await belfry.simulator("GET", "/api/webpush").expect(200).list("pushes").first)
          #expect(push["isForBrowser"] as? Bool == true && push["isReadable"] as? Bool == false)
          #expect(push["text"] is NSNull && push["subject"] as? String == "mailto:belfry@example.com")
          try await eventually("Firefox has acknowledged it") {
            let summary = try await belfry.simulator("GET", "/api/webpush/summary").expect(200).json
            return summary["acknowledged"] as? [String: Int] == ["100": 1]
          }
        }
      }
    }

    private func onStack(_ body: (BelfryStack, _ origin: String, _ file: String) async throws -> Void) async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-bell-\(UUID().uuidString)").path
      Cleanup.remove(directory)
      let origin = "http://localhost:\(try FreePort.find())"
      let stack = try await start(directory, origin)
      let outcome: Result<Void, any Error>
      do {
        outcome = .success(try await body(stack, origin, "\(directory)/bell.json"))
      } catch {
        outcome = .failure(error)
      }
      await stack.stop()
      try outcome.get()
    }

    /// Hundreds of connections of one address within minutes are one browser here.
    private func start(_ directory: String, _ origin: String) async throws -> BelfryStack {
      var configuration = try BelfryStackConfiguration.tested(in: directory)
      configuration.variables[.gateway] = [
        "BELFRY_GATEWAY_ALLOWED_ORIGINS": origin,
        "BELFRY_GATEWAY_USER_RATE": "0",
        "BELFRY_GATEWAY_REFUSED_RATE": "0",
        "BELFRY_GATEWAY_MAXIMUM_CONNECTIONS_PER_ADDRESS": "10000",
      ]
      configuration.variables[.inapp] = [
        "BELFRY_INAPP_ALLOWED_ORIGINS": origin,
        "BELFRY_INAPP_MAXIMUM_CONNECTIONS_PER_ADDRESS": "10000",
      ]
      configuration.variables[.push] = ["BELFRY_PUSH_WEB_LINK": Self.link]
      return try await BelfryStack.start(configuration, logger: .quiet)
    }

    private func test(
      _ stack: BelfryStack,
      _ origin: String,
      _ file: String,
      _ arguments: [String] = []
    ) async throws {
      let node = try #require(stack.services(.inapp).first)
      var description = Description(
        gateway: stack.gatewayURL,
        hub: stack.hubURL,
        origin: origin,
        serviceToken: try TokenMinter.mint(
          secret: stack.tokenSecret,
          subject: "tests",
          roles: [.service],
          lifetime: .seconds(3_600)
        ),
        secret: stack.tokenSecret,
        node: node.pid,
        pushSocket: "ws://127.0.0.1:\(stack.webPushSocketPort)/"
      )
      func describe() throws { try JSONEncoder().encode(description).write(to: URL(filePath: file), options: .atomic) }
      try describe()
      let tests = try ScriptProcess("Tests/BellTests/on_stack.py", [file] + arguments)
      // The tests kill the hub's node.
      while tests.isRunning {
        guard await node.waitForExit(within: .seconds(1)) != nil else { continue }
        try await node.restart()
        description.node = node.pid
        try describe()
      }
      #expect(await tests.waitForExit(within: .seconds(10)) == 0, "\(tests.output)")
    }
  }
}
