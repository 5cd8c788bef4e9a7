import Authentication
import Foundation
import LocalStack
import TestSupport
import Testing

extension EndToEndTests {
  /// Schemathesis against a Belfry of its own, which has what it leaves behind to itself. `make attack` lets it go on for longer.
  @Suite(.serialized) struct AttackTests {
    /// Of `make attack`.
    private static let arguments = ProcessInfo.processInfo.environment["BELFRY_ATTACK"]?.split(separator: " ").map(
      String.init
    )

    @Test func `whatever the description allows or forbids, the gateway answers as described`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-attack-\(UUID().uuidString)").path
      Cleanup.remove(directory)
      var configuration = try BelfryStackConfiguration.tested(in: directory)
      configuration.variables[.gateway] = [
        // So that there is nothing that is refused to all, and nothing to wait for.
        "BELFRY_GATEWAY_USER_RATE": "0",
        "BELFRY_GATEWAY_SELF_ERASE": "true",
        "BELFRY_GATEWAY_VAPID_PUBLIC_KEY":
          "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
      ]
      let stack = try await BelfryStack.start(configuration, logger: .quiet)
      do {
        try await attack(stack)
        await stack.stop()
      } catch {
        await stack.stop()
        throw error
      }
    }

    private func attack(_ stack: BelfryStack) async throws {
      func token(_ subject: String, _ role: Role) async throws -> String {
        try TokenMinter.mint(
          secret: stack.tokenSecret,
          subject: subject,
          roles: [role],
          lifetime: .seconds(86_400)
        )
      }
      // Whom the description's examples are about.
      let user = "4f9c1c1e-0001-4000-8000-000000000001"
      let result = try await CommandResult.python(
        "Tests/Conformance/attack.py",
        [
          "--url", stack.gatewayURL, "--user", user, "--user-token", try await token(user, .user),
          "--service-token", try await token("shop", .service), "--admin-token", try await token("ops", .admin),
        ] + (Self.arguments ?? ["--seconds", "60", "--seed", "1", "--quick"])
      )
      if Self.arguments != nil { print(result.output) }
      #expect(result.status == 0, "\(Self.finding(in: result.output))")
      for service in stack.services {
        #expect(service.isRunning, "\(service.name)")
      }
    }

    /// From where Schemathesis begins to say what it found; all of it if it found nothing and yet failed.
    private static func finding(in output: String) -> Substring {
      let first = ["= FAILURES =", "= ERRORS =", "Not attacked:", "Schemathesis has not"].compactMap {
        output.range(of: $0)?.lowerBound
      }.min()
      return output[(first ?? output.startIndex)...]
    }
  }
}
