import EmailDispatcher
import Settings
import Testing

@Suite struct EmailConfigurationTests {
  /// What is wrong with the settings, or nil.
  private func problems(_ variables: [String: String]) -> String? {
    var all = [
      "BELFRY_DATABASE_URL": "postgresql://belfry@localhost/belfry", "BELFRY_BROKER_URL": "amqp://localhost/",
      "BELFRY_EMAIL_HOST": "mail.example.com", "BELFRY_EMAIL_FROM": "news@example.com",
    ]
    all.merge(variables) { $1 }
    let settings = Settings(variables: all)
    _ = EmailConfiguration(settings)
    do {
      try settings.validate()
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: ["news@example.com", "belfry@localhost", "a.b+c@x-y.example", "O'Hara@example.com"])
  func `an address to send from`(_ address: String) {
    #expect(problems(["BELFRY_EMAIL_FROM": address]) == nil)
  }

  @Test(arguments: [
    "Belfry <news@example.com>", "news", "news@", "@example.com", "a@b@c", "a b@example.com", "news@exa mple.com",
    "news@-example.com", "news@example..com", ".news@example.com", "n\u{E9}ws@example.com", "a@b\r\nBcc: x@y",
    "\(String(repeating: "x", count: 65))@example.com",
  ])
  func `what is no address stops the start and not every mail`(_ address: String) {
    #expect(problems(["BELFRY_EMAIL_FROM": address])?.contains("BELFRY_EMAIL_FROM") == true)
  }

  @Test func `a name in two lines, or a domain that is none, stops the start`() {
    #expect(problems(["BELFRY_EMAIL_FROM_NAME": "Belfry\nBcc: x@y"])?.contains("BELFRY_EMAIL_FROM_NAME") == true)
    #expect(problems(["BELFRY_EMAIL_FROM_NAME": "Z\u{FC}rich \u{1F514}"]) == nil)
    #expect(problems(["BELFRY_EMAIL_DOMAIN": "mail example"])?.contains("BELFRY_EMAIL_DOMAIN") == true)
    #expect(problems(["BELFRY_EMAIL_DOMAIN": "mail.example.com"]) == nil)
  }

  @Test func `a return path needs a short name and a secret`() {
    let keys = ["BELFRY_EMAIL_RETURN_PATH_KEYS": "a secret of return paths, thirty-two bytes"]
    func problems(_ path: String, _ keys: [String: String]) -> String? {
      self.problems(keys.merging(["BELFRY_EMAIL_RETURN_PATH": path]) { $1 })
    }
    #expect(problems("bounces@bounces.example.com", keys) == nil)
    #expect(
      problems("bounces@bounces.example.com", [:]) == "BELFRY_EMAIL_RETURN_PATH needs BELFRY_EMAIL_RETURN_PATH_KEYS"
    )
    for path in ["bounces", "returns8@example.com", "b+c@example.com"] {
      #expect(problems(path, keys)?.hasPrefix("BELFRY_EMAIL_RETURN_PATH: expected an address") == true)
    }
    let short = problems("b@example.com", ["BELFRY_EMAIL_RETURN_PATH_KEYS": "short"])
    #expect(short == "BELFRY_EMAIL_RETURN_PATH_KEYS: each secret has at least 32 bytes")
    #expect(problems("", keys) == nil, "kept while it is switched off")
  }

  @Test func `waiting for an answer leaves RabbitMQ its patience`() {
    #expect(problems(["BELFRY_EMAIL_CONTENT_TIMEOUT": "30min"])?.contains("BELFRY_EMAIL_CONTENT_TIMEOUT") == true)
    #expect(problems(["BELFRY_EMAIL_TIMEOUT": "10min"])?.contains("BELFRY_EMAIL_TIMEOUT") == true)
  }
}
