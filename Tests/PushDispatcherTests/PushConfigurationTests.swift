import Cryptography
import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import Settings
import TestSupport
import Testing

@testable import PushDispatcher

/// What a dispatcher serves, and what it says if it cannot.
@Suite struct PushConfigurationTests {
  private static let connections = [
    "BELFRY_DATABASE_URL": "postgresql://127.0.0.1/belfry", "BELFRY_BROKER_URL": "amqp://127.0.0.1/",
  ]
  private static let key = ["BELFRY_PUSH_SERVICE_ACCOUNT_FILE": "account.json"]

  private func configuration(_ variables: [String: String]) throws -> PushConfiguration {
    let settings = Settings(variables: Self.connections.merging(variables) { $1 })
    let configuration = PushConfiguration(settings)
    try settings.validate()
    return configuration
  }

  private func problem(_ variables: [String: String]) -> String? {
    let error = #expect(throws: StartError.self) { try configuration(variables) }
    return error?.description
  }

  @Test func `with a key and nothing else it serves FCM`() throws {
    for variables in [Self.key, Self.key.merging(["BELFRY_PUSH_PROVIDERS": "fcm"]) { $1 }] {
      let configuration = try configuration(variables)
      #expect(configuration.providers == .standard)
      #expect(configuration.factories.map(\.carrier) == [.fcm])
      #expect(configuration.factories.map(\.longestPush) == [.seconds(60)])
    }
  }

  @Test func `Google's own FCM is spared around the quarters of an hour, no other server is`() throws {
    #expect(try configuration(Self.key).fcm.control.sparesQuarterHours)
    let other = Self.key.merging(["BELFRY_PUSH_ENDPOINT": "https://localhost:8443"]) { $1 }
    #expect(try !configuration(other).fcm.control.sparesQuarterHours)
  }

  @Test func `every provider that there is has a factory, and is made only where it is served`() throws {
    var configuration = try configuration(Self.key)
    configuration.providers = .implemented
    #expect(configuration.factories.map(\.carrier) == DevicePlatform.Carrier.implemented)
    configuration.providers = PushProviders([.apns])
    #expect(configuration.factories.map(\.carrier) == [.apns])
    configuration.providers = PushProviders([])
    #expect(configuration.factories.isEmpty)
  }

  @Test func `without FCM's key it does not start, and says by which settings it would`() {
    let expected =
      "BELFRY_PUSH_SERVICE_ACCOUNT_FILE is required: name the JSON file of the Firebase service account, "
      + "or leave fcm out of BELFRY_PUSH_PROVIDERS"
    #expect(problem([:]) == expected)
    #expect(problem(["BELFRY_PUSH_PROVIDERS": "fcm", "BELFRY_PUSH_SERVICE_ACCOUNT_FILE": ""]) == expected)
  }

  @Test func `with nobody to serve it does not start`() {
    for variables in [["BELFRY_PUSH_PROVIDERS": "none"], Self.key.merging(["BELFRY_PUSH_PROVIDERS": "none"]) { $1 }] {
      #expect(
        problem(variables)
          == "BELFRY_PUSH_PROVIDERS names no provider to serve: without any, no push dispatcher is run"
      )
    }
  }

  @Test func `a provider that there is not stops it with those that there are`() {
    #expect(
      problem(Self.key.merging(["BELFRY_PUSH_PROVIDERS": "fcm,pigeon"]) { $1 })
        == "BELFRY_PUSH_PROVIDERS: expected fcm, apns, webPush (separated by commas), or none, got 'fcm,pigeon'"
    )
  }

  @Test func `a setting of push that is misspelt is still noticed`() {
    let found = problem(Self.key.merging(["BELFRY_PUSH_PROVIDER": "fcm"]) { $1 })
    #expect(found == "BELFRY_PUSH_PROVIDER is not a setting of this service; --help lists them")
  }

  @Test(arguments: [nil, "", "\n", "{}"])
  func `a key file that is missing, empty or another's is reported with its name and what to do`(_ text: String?) throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-account-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }  // it may not be there
    if let text { try Data(text.utf8).write(to: file) }
    let factory = FCMFactory(configuration: try configuration(["BELFRY_PUSH_SERVICE_ACCOUNT_FILE": file.path]).fcm)
    let error = #expect(throws: PushError.self) { try factory.make(devices: MemoryDevices(), logger: .quiet) }
    let description = try #require(error?.description)
    #expect(description.contains(file.path))
    #expect(error?.isTransient == false)
    guard text != "{}" else { return }
    #expect(description.contains("BELFRY_PUSH_SERVICE_ACCOUNT_FILE"))
    #expect(description.hasSuffix("or leave fcm out of BELFRY_PUSH_PROVIDERS"))
  }

  // MARK: APNs

  private static let apns = [
    "BELFRY_PUSH_PROVIDERS": "apns", "BELFRY_PUSH_APNS_TEAM_ID": "TEAM123456",
    "BELFRY_PUSH_APNS_TOPIC": "com.example.app",
    "BELFRY_PUSH_APNS_KEY_FILE": "key.p8", "BELFRY_PUSH_APNS_KEY_ID": "KEY1234567",
  ]

  @Test func `APNs alone needs no key of Firebase, and one key serves one environment`() throws {
    let configuration = try configuration(Self.apns)
    #expect(configuration.factories.map(\.carrier) == [.apns])
    #expect(configuration.apns.environments == [.production])
    let both = try self.configuration(
      Self.apns.merging([
        "BELFRY_PUSH_APNS_SANDBOX_KEY_FILE": "key.p8", "BELFRY_PUSH_APNS_SANDBOX_KEY_ID": "KEY1234567",
      ]) {
        $1
      }
    )
    #expect(both.apns.environments == [.production, .sandbox])
  }

  @Test(arguments: [
    ("TEAM_ID", "BELFRY_PUSH_APNS_TEAM_ID is required"), ("TOPIC", "BELFRY_PUSH_APNS_TOPIC is required"),
    ("KEY_ID", "BELFRY_PUSH_APNS_KEY_FILE and BELFRY_PUSH_APNS_KEY_ID: set both or neither"),
  ])
  func `without one of its settings it does not start, and says which`(setting: String, expected: String) {
    let found = problem(Self.apns.filter { $0.key != "BELFRY_PUSH_APNS_\(setting)" })
    #expect(found?.contains(expected) == true)
  }

  @Test func `the key must be one of the environment of devices that say none`() {
    let found = problem(Self.apns.merging(["BELFRY_PUSH_APNS_ENVIRONMENT": "sandbox"]) { $1 })
    #expect(found?.contains("BELFRY_PUSH_APNS_SANDBOX_KEY_FILE is required") == true)
  }

  @Test(arguments: [nil, "", "no key"])
  func `a key for APNs that is missing or none is reported with its name and setting, never its text`(_ text: String?)
    throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-key-\(UUID().uuidString).p8")
    defer { try? FileManager.default.removeItem(at: file) }  // it may not be there
    if let text { try Data(text.utf8).write(to: file) }
    let variables = Self.apns.merging(["BELFRY_PUSH_APNS_KEY_FILE": file.path]) { $1 }
    let factory = APNsFactory(configuration: try configuration(variables).apns)
    let error = #expect(throws: PushError.self) { try factory.make(devices: MemoryDevices(), logger: .quiet) }
    let description = try #require(error?.description)
    #expect(description.contains(file.path) && description.contains("BELFRY_PUSH_APNS_KEY_FILE"))
    #expect(!description.contains("no key"))
  }

  // MARK: Web Push

  private static let webPush = [
    "BELFRY_PUSH_PROVIDERS": "webPush", "BELFRY_PUSH_WEBPUSH_KEY_FILE": "vapid.pem",
    "BELFRY_PUSH_WEBPUSH_SUBJECT": "mailto:belfry@example.com",
  ]

  @Test func `Web Push alone needs a key and a subject, and nothing of Google or Apple`() throws {
    let configuration = try configuration(Self.webPush)
    #expect(configuration.factories.map(\.carrier) == [.webPush])
    for name in ["KEY_FILE", "SUBJECT"] {
      let found = problem(Self.webPush.filter { $0.key != "BELFRY_PUSH_WEBPUSH_\(name)" })
      #expect(found?.contains("BELFRY_PUSH_WEBPUSH_\(name) is required: make a key with belfry vapid") == true)
    }
  }

  @Test(arguments: [
    "mailto:a@example.com", "https://example.com", "https://example.com/contact?a=1", "mailto:a@mail.example.com",
  ])
  func `a subject is an address that every push service takes`(_ subject: String) throws {
    let variables = Self.webPush.merging(["BELFRY_PUSH_WEBPUSH_SUBJECT": subject]) { $1 }
    #expect(try configuration(variables).webPush.subject == subject)
  }

  @Test(arguments: [
    "a@example.com", "mailto:", "mailto:a", "mailto:a@localhost", "mailto:a@b.localhost", "mailto: a@example.com",
    "mailto:<a@example.com>", "https://", "https://localhost", "https://localhost:8080/", "http://example.com",
    "https://exämple.com", "mailto:a@example.com\"", "https://example.com\\",
  ])
  func `a subject that some push service refuses stops the start`(_ subject: String) {
    let found = problem(Self.webPush.merging(["BELFRY_PUSH_WEBPUSH_SUBJECT": subject]) { $1 })
    #expect(found?.contains("BELFRY_PUSH_WEBPUSH_SUBJECT: expected mailto:") == true)
  }

  @Test func `hosts of one's own are read with their ports, and what is none stops the start`() throws {
    let hosts = Self.webPush.merging(["BELFRY_PUSH_WEBPUSH_HOSTS": " ntfy.example.org , localhost:7070"]) { $1 }
    #expect(try configuration(hosts).webPush.hosts.description == "ntfy.example.org,localhost:7070")
    for wrong in ["https://ntfy.example.org", "ntfy.example.org/", "a b", "host:0", "host:65536", "host:x"] {
      let found = problem(Self.webPush.merging(["BELFRY_PUSH_WEBPUSH_HOSTS": wrong]) { $1 })
      #expect(found?.hasPrefix("BELFRY_PUSH_WEBPUSH_HOSTS: expected hosts") == true, "\(wrong)")
    }
  }

  @Test func `a secret of receipts is long, and none is needed`() throws {
    #expect(try configuration(Self.webPush).receipts.isEmpty)
    let good = String(repeating: "k", count: 32)
    let keys = Self.webPush.merging(["BELFRY_RECEIPTS_KEYS": "\(good),\(good)x"]) { $1 }
    #expect(try !configuration(keys).receipts.isEmpty)
    let found = problem(Self.webPush.merging(["BELFRY_RECEIPTS_KEYS": "\(good),short"]) { $1 })
    #expect(found == "BELFRY_RECEIPTS_KEYS: each secret has at least 32 bytes")
  }

  @Test func `a VAPID key that was made is read, with the one before it`() async throws {
    try await TemporaryDirectory.with { directory in
      var variables = Self.webPush
      for (setting, file) in [("KEY_FILE", "new.pem"), ("PREVIOUS_KEY_FILE", "old.pem")] {
        try Data(try PrivateKey(.p256).pem.utf8).write(to: URL(filePath: directory.file(file)))
        variables["BELFRY_PUSH_WEBPUSH_\(setting)"] = directory.file(file)
      }
      let factory = try #require(try configuration(variables).factories.first)
      let parts = try factory.make(devices: MemoryDevices(), logger: .quiet)
      let sender = try #require(parts.provider as? WebPushSender)
      #expect(sender.signatures.keys.count == 2)
      #expect(parts.problem?() == nil)
    }
  }

  @Test(arguments: [nil, "", "no key"])
  func `a VAPID key that is missing or none is reported with its name and setting, never its text`(_ text: String?)
    throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-key-\(UUID().uuidString).pem")
    defer { try? FileManager.default.removeItem(at: file) }  // it may not be there
    if let text { try Data(text.utf8).write(to: file) }
    let variables = Self.webPush.merging(["BELFRY_PUSH_WEBPUSH_KEY_FILE": file.path]) { $1 }
    let factory = try #require(try configuration(variables).factories.first)
    let error = #expect(throws: PushError.self) { try factory.make(devices: MemoryDevices(), logger: .quiet) }
    let description = try #require(error?.description)
    #expect(description.contains(file.path) && description.contains("BELFRY_PUSH_WEBPUSH_KEY_FILE"))
    #expect(!description.contains("no key"))
  }
}
