import Gateway
import Settings
import Testing

/// The settings about devices.
@Suite struct DeviceSettingsTests {
  private func settings(_ key: String?) -> (configuration: GatewayConfiguration, problem: String?) {
    var variables = [
      "BELFRY_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "BELFRY_BROKER_URL": "amqp://127.0.0.1:1/",
      "BELFRY_AUTH_SECRET": TestGateway.secret,
    ]
    variables["BELFRY_GATEWAY_VAPID_PUBLIC_KEY"] = key
    let settings = Settings(variables: variables)
    let configuration = GatewayConfiguration(settings)
    do {
      try settings.validate()
      return (configuration, nil)
    } catch {
      return (configuration, error.description)
    }
  }

  @Test func `there is no VAPID key unless it is set`() {
    let key = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    #expect(settings(nil).configuration.vapidPublicKey == VAPIDPublicKey.none)
    #expect(settings(nil).problem == nil)
    #expect(settings(key).configuration.vapidPublicKey.description == key)
    #expect(settings(key).problem == nil)
  }

  @Test func `a VAPID key that is none stops the start`() {
    let problem = "BELFRY_GATEWAY_VAPID_PUBLIC_KEY: expected VAPID public key, 87 characters of base64url, got 'BP4z'"
    #expect(settings("BP4z").problem == problem)
  }
}
