import Settings
import Testing

/// No value of a setting that counts or measures can start a service whose arithmetic it breaks.
@Suite struct SettingBoundsTests {
  /// What every service needs to start at all.
  private static let required = [
    "BELFRY_DATABASE_URL": "postgresql://127.0.0.1/belfry", "BELFRY_BROKER_URL": "amqp://127.0.0.1/",
    "BELFRY_AUTH_SECRET": "0123456789abcdef0123456789abcdef", "BELFRY_PUSH_SERVICE_ACCOUNT_FILE": "account.json",
    "BELFRY_EMAIL_HOST": "127.0.0.1", "BELFRY_EMAIL_FROM": "belfry@example.com", "BELFRY_SIMULATOR_DATA_DIR": "/tmp",
  ]

  /// What stops the service's start, or nil.
  private func problems(of service: ServiceSettings, _ variables: [String: String]) -> String? {
    let settings = Settings(variables: Self.required.merging(variables) { $1 })
    service.read(settings)
    do {
      try settings.validate()
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: ServiceSettings.all)
  func `a service starts with its defaults`(_ service: ServiceSettings) {
    #expect(problems(of: service, [:]) == nil)
  }

  @Test(arguments: ServiceSettings.all)
  func `a duration of nothing, of a moment or of an age is refused by name, unless it is within bounds`(
    _ service: ServiceSettings
  ) throws {
    for setting in service.settings where setting.kind.hasPrefix("duration") {
      let bounds = try #require(setting.kind.firstMatch(of: /(\w+)…(\w+)/), "\(setting.variable) has no bounds")
      let least = try #require(Duration(settingText: String(bounds.1)))
      let most = try #require(Duration(settingText: String(bounds.2)))
      #expect(most <= .seconds(1_825 * 86_400), "\(setting.variable) may be longer than partitions are kept for")
      for text in ["0ms", "1ms", "36500d", "999999999d"] {
        let value = try #require(Duration(settingText: text))
        let found = problems(of: service, [setting.variable: text])
        if value < least || value > most {
          #expect(found?.contains(setting.variable) == true, "\(setting.variable)=\(text): \(found ?? "starts")")
        }
      }
      for text in [String(bounds.1), String(bounds.2)] {
        let found = problems(of: service, [setting.variable: text])
        #expect(found?.contains(setting.variable) != false, "\(setting.variable)=\(text): \(found ?? "")")
      }
    }
  }

  @Test(arguments: ServiceSettings.all)
  func `a number beyond its range is refused by name`(_ service: ServiceSettings) throws {
    for setting in service.settings where setting.kind.hasPrefix("integer") {
      let range = try #require(setting.kind.firstMatch(of: /(-?\d+)…(\d+)/))
      let least = try #require(Int(range.1))
      let most = try #require(Int(range.2))
      for number in [least - 1, most + 1, .min, .max] {
        let found = problems(of: service, [setting.variable: "\(number)"])
        #expect(found?.contains(setting.variable) == true, "\(setting.variable)=\(number): \(found ?? "starts")")
      }
      for number in [least, most] {
        let found = problems(of: service, [setting.variable: "\(number)"])
        #expect(found == nil, "\(setting.variable)=\(number)")
      }
    }
  }

  @Test(
    arguments: [
      ("belfry-email", "BELFRY_EMAIL_TIMEOUT", "25s", "BELFRY_SERVICE_SHUTDOWN_DEADLINE"),
      ("belfry-push", "BELFRY_PUSH_REQUEST_TIMEOUT", "30s", "BELFRY_SERVICE_SHUTDOWN_DEADLINE"),
      ("belfry-inapp", "BELFRY_INAPP_DRAIN_PERIOD", "1min", "BELFRY_SERVICE_SHUTDOWN_DEADLINE"),
      // The last clients are given 2 s to answer the goodbye.
      ("belfry-inapp", "BELFRY_INAPP_DRAIN_PERIOD", "23s", "BELFRY_SERVICE_SHUTDOWN_DEADLINE"),
      // The goodbyes of 3 s come behind it.
      ("belfry-inapp", "BELFRY_INAPP_STOP_DELAY", "20s", "BELFRY_SERVICE_SHUTDOWN_DEADLINE"),
      ("belfry-gateway", "BELFRY_GATEWAY_STOP_DELAY", "25s", "BELFRY_SERVICE_SHUTDOWN_DEADLINE"),
      ("belfry-inapp", "BELFRY_INAPP_PING_INTERVAL", "30s", "BELFRY_INAPP_CLIENT_TIMEOUT"),
      ("belfry-inapp", "BELFRY_INAPP_CLIENT_TIMEOUT", "15s", "BELFRY_INAPP_PING_INTERVAL"),
      ("belfry-router", "BELFRY_MAINTENANCE_KEY_LIFETIME", "30d", "BELFRY_MAINTENANCE_RETENTION"),
    ]
  )
  func `durations that contradict each other are refused with both names`(
    program: String,
    variable: String,
    text: String,
    other: String
  ) throws {
    let service = try #require(ServiceSettings.all.first { $0.program == program })
    let found = try #require(problems(of: service, [variable: text]))
    #expect(found.contains(variable))
    #expect(found.contains(other))
  }

  /// RabbitMQ takes back what a consumer has held for 30 min, and all else that it holds.
  @Test(
    arguments: [
      ("belfry-router", "BELFRY_DATABASE_QUERY_TIMEOUT", "15min"),
      ("belfry-router", "BELFRY_BROKER_HEARTBEAT", "15min"),
      ("belfry-email", "BELFRY_EMAIL_CONTENT_TIMEOUT", "30min"),
      ("belfry-push", "BELFRY_PUSH_REQUEST_TIMEOUT", "30min"),
    ]
  )
  func `nothing may hold a message until the broker takes it back`(
    program: String,
    variable: String,
    text: String
  ) throws {
    let service = try #require(ServiceSettings.all.first { $0.program == program })
    #expect(problems(of: service, [variable: text])?.contains(variable) == true)
  }
}
