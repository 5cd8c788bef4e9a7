import Authentication
import Foundation
import LocalStack
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
    }

    @Test func `list and count are the database's, whatever happens in between`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-bell-\(UUID().uuidString)").path
      Cleanup.remove(directory)
      let origin = "http://localhost:\(try FreePort.find())"
      let stack = try await start(directory, origin)
      let outcome: Result<Void, any Error>
      do {
        outcome = .success(try await test(stack, origin, "\(directory)/bell.json"))
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
      return try await BelfryStack.start(configuration, logger: .quiet)
    }

    private func test(_ stack: BelfryStack, _ origin: String, _ file: String) async throws {
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
        node: node.pid
      )
      func describe() throws { try JSONEncoder().encode(description).write(to: URL(filePath: file), options: .atomic) }
      try describe()
      let tests = try ScriptProcess("Tests/BellTests/on_stack.py", [file])
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
