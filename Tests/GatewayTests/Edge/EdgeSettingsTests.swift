import Gateway
import ServiceRuntime
import Settings
import Testing

/// The settings of the gateway's edge.
@Suite struct EdgeSettingsTests {
  private func read(_ variables: [String: String]) -> (edge: EdgeConfiguration, problem: String?) {
    let required = [
      "BELFRY_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "BELFRY_BROKER_URL": "amqp://127.0.0.1:1/",
      "BELFRY_AUTH_SECRET": TestGateway.secret,
    ]
    let settings = Settings(variables: required.merging(variables) { $1 })
    let configuration = GatewayConfiguration(settings)
    do {
      try settings.validate()
      return (configuration.edge, nil)
    } catch {
      return (configuration.edge, error.description)
    }
  }

  @Test func `unless set, users and what is refused are limited, and no page of another origin may ask`() {
    let (edge, problem) = read([:])
    #expect(problem == nil)
    #expect([edge.userRate, edge.serviceRate, edge.addressRate, edge.refusedRate] == [50, 0, 0, 100])
    #expect(edge.unsubscribeRate == 100)
    #expect(!edge.trustsForwardedFor)
    #expect(edge.allowedOrigins.isEmpty)
  }

  @Test func `each limit has a setting of its own`() {
    let (edge, problem) = read([
      "BELFRY_GATEWAY_USER_RATE": "1", "BELFRY_GATEWAY_SERVICE_RATE": "2", "BELFRY_GATEWAY_ADDRESS_RATE": "3",
      "BELFRY_GATEWAY_REFUSED_RATE": "4", "BELFRY_GATEWAY_UNSUBSCRIBE_RATE": "5",
      "BELFRY_GATEWAY_TRUST_FORWARDED_FOR": "true",
      "BELFRY_GATEWAY_ALLOWED_ORIGINS": "https://app.example",
    ])
    #expect(problem == nil)
    #expect([edge.userRate, edge.serviceRate, edge.addressRate, edge.refusedRate] == [1, 2, 3, 4])
    #expect(edge.unsubscribeRate == 5)
    #expect(edge.trustsForwardedFor)
    #expect(edge.allowedOrigins.contains("https://app.example"))
  }

  @Test(arguments: ["*", "https://app.example/", "app.example"])
  func `an origin that no browser sends stops the start`(_ origin: String) {
    let expected = "origins such as https://app.example, separated by commas"
    #expect(
      read(["BELFRY_GATEWAY_ALLOWED_ORIGINS": origin]).problem
        == "BELFRY_GATEWAY_ALLOWED_ORIGINS: expected \(expected), got '\(origin)'"
    )
  }

  @Test func `a negative rate stops the start`() {
    let problem = "BELFRY_GATEWAY_REFUSED_RATE: expected integer 0…100000, got '-1'"
    #expect(read(["BELFRY_GATEWAY_REFUSED_RATE": "-1"]).problem == problem)
  }
}
