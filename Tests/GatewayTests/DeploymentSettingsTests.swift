import Gateway
import Settings
import Testing
import WallClock

/// The settings that are the same for the whole deployment.
@Suite struct DeploymentSettingsTests {
  private func settings(timezone: String?) -> (configuration: GatewayConfiguration, problem: String?) {
    var variables = [
      "BELFRY_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "BELFRY_BROKER_URL": "amqp://127.0.0.1:1/",
      "BELFRY_AUTH_SECRET": TestGateway.secret,
    ]
    variables["BELFRY_DEPLOYMENT_TIMEZONE"] = timezone
    let settings = Settings(variables: variables)
    let configuration = GatewayConfiguration(settings)
    do {
      try settings.validate()
      return (configuration, nil)
    } catch {
      return (configuration, error.description)
    }
  }

  @Test func `the time zone is UTC unless it is set`() {
    #expect(settings(timezone: nil).configuration.timezone == .utc)
    #expect(settings(timezone: "Europe/Berlin").configuration.timezone.identifier == "Europe/Berlin")
    #expect(settings(timezone: "Europe/Berlin").problem == nil)
  }

  @Test(arguments: ["Mars/Olympus", "PST", "GMT+3"])
  func `a time zone that nobody knows stops the start`(_ name: String) {
    #expect(
      settings(timezone: name).problem
        == "BELFRY_DEPLOYMENT_TIMEZONE: expected time zone such as Europe/Berlin, got '\(name)'"
    )
  }
}
