import LocalStack
import NotificationModel
import Testing

extension EndToEndTests {
  /// What is served as `/openapi.yaml` and `/asyncapi.yaml`, taken at its word by programs that know nothing else of Belfry.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct DescriptionTests {
    @Test func `a client generated from openapi_yaml sends, lists and changes preferences`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let script = try ScriptProcess(
          "Tests/Conformance/generated_client.py",
          [
            "--url", belfry.stack.gatewayURL, "--user", "\(ann.id)", "--user-token", ann.token,
            "--service-token", try await belfry.serviceToken(),
          ]
        )
        let status = await script.waitForExit(within: .seconds(120))
        #expect(status == 0, "\(script.output)")
        #expect(try script.events("done").count == 1)
      }
    }

    @Test func `the examples of asyncapi_yaml go through broker and hub, and what comes back is as described`()
      async throws
    {
      try await TestStack.with { belfry in
        let hub = try #require(belfry.stack.services(.inapp).first?.url)
        var arguments = [
          "--broker", belfry.stack.rabbitmq.url, "--gateway", belfry.stack.gatewayURL,
          "--hub", hub.replacing("http://", with: "ws://"),
        ]
        for number in 1...2 {
          let id = try #require(UserID("4f9c1c1e-000\(number)-4000-8000-00000000000\(number)"))
          arguments += ["--token", "\(id)=\(try await belfry.token(id))"]
        }
        let script = try ScriptProcess("Tests/Conformance/asyncapi_client.py", arguments)
        let status = await script.waitForExit(within: .seconds(120))
        let failures = try script.events("failure").map { $0["error"] as? String ?? "" }
        #expect(failures == [])
        #expect(status == 0, "\(script.output)")
      }
    }
  }
}
