import NotificationModel
import Settings
import Testing
import Transport

@testable import EmailDispatcher

@Suite struct EmailConfigurationTests {
  /// What is wrong with the settings, or nil.
  private func problems(_ variables: [String: String]) -> String? {
    let settings = settings(variables)
    _ = EmailConfiguration(settings)
    do {
      try settings.validate()
      return nil
    } catch {
      return error.description
    }
  }

  private func settings(_ variables: [String: String]) -> Settings {
    var all = [
      "BELFRY_DATABASE_URL": "postgresql://belfry@localhost/belfry", "BELFRY_BROKER_URL": "amqp://localhost/",
      "BELFRY_EMAIL_HOST": "mail.example.com", "BELFRY_EMAIL_FROM": "news@example.com",
    ]
    all.merge(variables) { $1 }
    return Settings(variables: all)
  }

  private func configuration(_ variables: [String: String]) throws -> EmailConfiguration {
    let settings = settings(variables)
    let configuration = EmailConfiguration(settings)
    try settings.validate()
    return configuration
  }

  // MARK: Two streams

  @Test func `a bulk stream of which nothing is said is the other one, with half of the connections`() throws {
    let configuration = try configuration([
      "BELFRY_EMAIL_USERNAME": "belfry", "BELFRY_EMAIL_PASSWORD": "secret", "BELFRY_EMAIL_FROM_NAME": "Shop",
    ])
    let (bulk, other) = (configuration.stream(.bulk), configuration.stream(.transactional))
    #expect(bulk.smtp.isSameServer(as: other.smtp) && bulk.smtp.password == "secret")
    #expect(bulk.sender == other.sender && bulk.sender.name == "Shop")
    #expect(bulk.returnPath == nil && other.returnPath == nil && configuration.feedbackSender == nil)
    #expect(other.smtp.maximumConnections == 4 && bulk.smtp.maximumConnections == 2)
    #expect(try self.configuration(["BELFRY_EMAIL_CONNECTIONS": "1"]).bulk.smtp.maximumConnections == 1)
  }

  @Test func `each setting of the bulk stream is its own`() throws {
    let configuration = try configuration([
      "BELFRY_EMAIL_RETURN_PATH": "bounces@example.com", "BELFRY_EMAIL_FEEDBACK_SENDER": "exampleshop",
      "BELFRY_EMAIL_BULK_HOST": "bulk.example.com", "BELFRY_EMAIL_BULK_PORT": "465",
      "BELFRY_EMAIL_BULK_SECURITY": "tls", "BELFRY_EMAIL_BULK_USERNAME": "news", "BELFRY_EMAIL_BULK_PASSWORD": "other",
      "BELFRY_EMAIL_BULK_CA_FILE": "/ca.pem", "BELFRY_EMAIL_BULK_CONNECTIONS": "3",
      "BELFRY_EMAIL_BULK_FROM": "offers@news.example.com", "BELFRY_EMAIL_BULK_FROM_NAME": "Offers",
      "BELFRY_EMAIL_BULK_RETURN_PATH": "bounces@news.example.com",
    ])
    let (bulk, other) = (configuration.stream(.bulk), configuration.stream(.transactional))
    #expect(!bulk.smtp.isSameServer(as: other.smtp))
    #expect(bulk.smtp.host == "bulk.example.com" && bulk.smtp.port == 465 && bulk.smtp.security == .tls)
    #expect(bulk.smtp.username == "news" && bulk.smtp.password == "other" && bulk.smtp.caFile == "/ca.pem")
    #expect(bulk.smtp.maximumConnections == 3 && bulk.smtp.clientName == other.smtp.clientName)
    #expect(bulk.sender == MIMEAddress(name: "Offers", address: "offers@news.example.com"))
    #expect(bulk.returnPath == "bounces@news.example.com" && other.returnPath == "bounces@example.com")
    #expect(other.smtp.host == "mail.example.com" && other.smtp.port == 587 && other.smtp.security == .startTLS)
    #expect(configuration.feedbackSender == "exampleshop")
    let same = try self.configuration(["BELFRY_EMAIL_RETURN_PATH": "bounces@example.com"])
    #expect(same.bulk.returnPath == "bounces@example.com")
  }

  @Test(arguments: MailStream.allCases)
  func `mails that wait for slow answers leave their stream the messages that are set`(_ stream: MailStream) throws {
    #expect(try configuration([:]).messagesInFlight(stream) == 16 + 64)
    #expect(try configuration(["BELFRY_EMAIL_PREFETCH": "1"]).messagesInFlight(stream) == 1 + 64)
    let two = ["BELFRY_EMAIL_PREFETCH": "16", "BELFRY_EMAIL_BULK_HOST": "bulk.example.com"]
    #expect(try configuration(two).messagesInFlight(stream) == 16 + 32)
  }

  @Test func `there is no quota unless it is set`() throws {
    let none = try configuration([:])
    #expect(none.quotaPerMinute == 0 && none.domainQuotaPerMinute == 0)
    let set = try configuration([
      "BELFRY_EMAIL_QUOTA_PER_MINUTE": "600", "BELFRY_EMAIL_DOMAIN_QUOTA_PER_MINUTE": "60",
    ])
    #expect(set.quotaPerMinute == 600 && set.domainQuotaPerMinute == 60)
  }

  @Test func `no server gets the password of another one`() throws {
    let all = ["BELFRY_EMAIL_USERNAME": "belfry", "BELFRY_EMAIL_PASSWORD": "secret"]
    let elsewhere = try configuration(all.merging(["BELFRY_EMAIL_BULK_HOST": "bulk.example.com"]) { $1 }).bulk
    #expect(elsewhere.smtp.username == nil && elsewhere.smtp.password == nil)
    let port = try configuration(all.merging(["BELFRY_EMAIL_BULK_PORT": "2525"]) { $1 })
    #expect(port.bulk.smtp.password == "secret" && !port.bulk.smtp.isSameServer(as: port.smtp))
    let user = try configuration(all.merging(["BELFRY_EMAIL_BULK_USERNAME": "news"]) { $1 })
    #expect(user.bulk.smtp.username == "news" && !user.bulk.smtp.isSameServer(as: user.smtp))
  }

  @Test(arguments: [
    ("BELFRY_EMAIL_BULK_FROM", "Offers <offers@example.com>"), ("BELFRY_EMAIL_BULK_FROM_NAME", "a\nb"),
    ("BELFRY_EMAIL_BULK_RETURN_PATH", "bounces"), ("BELFRY_EMAIL_RETURN_PATH", "<>"),
    ("BELFRY_EMAIL_FEEDBACK_SENDER", "shop"), ("BELFRY_EMAIL_BULK_CONNECTIONS", "65"),
    ("BELFRY_EMAIL_BULK_PORT", "0"), ("BELFRY_EMAIL_BULK_SECURITY", "ssl"), ("BELFRY_EMAIL_BULK_SENDER", "a@b"),
  ])
  func `what is wrong with the streams stops the start and is named`(_ variable: String, _ value: String) {
    #expect(problems([variable: value])?.contains(variable) == true)
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

  @Test func `an address that mailboxes cannot reach, or a secret that is too short, stops the start`() {
    let key = String(repeating: "k", count: 32)
    let good = ["BELFRY_PUBLIC_URL": "https://notify.example.com", "BELFRY_UNSUBSCRIBE_KEYS": "\(key),\(key)x"]
    #expect(problems(good) == nil)
    let plain = problems(good.merging(["BELFRY_PUBLIC_URL": "http://notify.example.com"]) { $1 })
    #expect(plain?.contains("BELFRY_PUBLIC_URL") == true)
    let short = problems(good.merging(["BELFRY_UNSUBSCRIBE_KEYS": "\(key),short"]) { $1 })
    #expect(short?.contains("BELFRY_UNSUBSCRIBE_KEYS: each secret has at least 32 bytes") == true)
    #expect(short?.contains(key) == false)
  }

  @Test func `a return path that is to be signed has a short name`() {
    let keys = ["BELFRY_EMAIL_RETURN_PATH_KEYS": "a secret of return paths that has thirty-two bytes"]
    func problems(_ path: String, _ keys: [String: String], stream: String = "") -> String? {
      let paths = ["BELFRY_EMAIL_RETURN_PATH": "b@example.com"].merging(["BELFRY_EMAIL_\(stream)RETURN_PATH": path]) {
        $1
      }
      return self.problems(keys.merging(paths) { $1 })
    }
    for stream in ["", "BULK_"] {
      #expect(problems("bounces@bounces.example.com", keys, stream: stream) == nil)
      #expect(problems("returns8@example.com", [:], stream: stream) == nil)
      for path in ["returns8@example.com", "b+c@example.com"] {
        #expect(problems(path, keys, stream: stream)?.contains("at most 7 characters") == true)
      }
    }
    let short = problems("b@example.com", ["BELFRY_EMAIL_RETURN_PATH_KEYS": "short"])
    #expect(short == "BELFRY_EMAIL_RETURN_PATH_KEYS: each secret has at least 32 bytes")
  }

  @Test func `keys of a return path without a return path stop the start, for gateways would believe no bounce`() {
    let keys = ["BELFRY_EMAIL_RETURN_PATH_KEYS": "a secret of return paths that has thirty-two bytes"]
    #expect(problems(keys)?.hasPrefix("BELFRY_EMAIL_RETURN_PATH: expected an address") == true)
    let bulk = keys.merging(["BELFRY_EMAIL_BULK_RETURN_PATH": "b@example.com"]) { $1 }
    #expect(problems(bulk)?.hasPrefix("BELFRY_EMAIL_RETURN_PATH: expected an address") == true)
    #expect(problems(keys.merging(["BELFRY_EMAIL_RETURN_PATH": "b@example.com"]) { $1 }) == nil, "bulk has the same")
  }

  @Test func `waiting for an answer leaves RabbitMQ its patience`() {
    #expect(problems(["BELFRY_EMAIL_CONTENT_TIMEOUT": "30min"])?.contains("BELFRY_EMAIL_CONTENT_TIMEOUT") == true)
    #expect(problems(["BELFRY_EMAIL_TIMEOUT": "10min"])?.contains("BELFRY_EMAIL_TIMEOUT") == true)
  }
}
