import Foundation
import LocalStack
import Testing

extension EndToEndTests {
  /// The simulator stands in for FCM: Google's own SDK must not notice.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct FirebaseTests {
    @Test func `Google's SDK takes the simulator for FCM`() async throws {
      try await TestStack.with { belfry in
        let directory = belfry.stack.simulatorDirectory
        let script = try ScriptProcess(
          "Tests/Conformance/firebase_admin_client.py",
          [
            "--account", "\(directory)/service-account.json", "--authority", "\(directory)/ca.pem",
            "--fcm", "https://localhost:\(belfry.stack.fcmPort)", "--control", belfry.stack.simulator.url,
          ]
        )
        let status = await script.waitForExit(within: .seconds(100))
        let cases = try script.events("case")
        #expect(cases.count == 25, "\(script.output)")
        for each in cases { #expect(each["error"] is NSNull, "\(each["name"] ?? ""): \(each["error"] ?? "")") }
        #expect(status == 0, "\(script.output)")
      }
    }
  }
}
