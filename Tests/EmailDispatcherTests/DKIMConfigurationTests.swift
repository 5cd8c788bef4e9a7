import Cryptography
import Foundation
import LocalStack
import Settings
import TestSupport
import Testing
import Transport

@testable import EmailDispatcher

@Suite struct DKIMConfigurationTests {
  private func configuration(_ variables: [String: String]) throws -> DKIMConfiguration {
    let names = variables.map { ("BELFRY_EMAIL_DKIM_\($0.key)", $0.value) }
    let settings = Settings(variables: Dictionary(uniqueKeysWithValues: names))
    let configuration = DKIMConfiguration(settings)
    try settings.validate()
    return configuration
  }

  private func problem(_ variables: [String: String]) -> String? {
    let error = #expect(throws: StartError.self) { _ = try configuration(variables) }
    return error?.description
  }

  @Test func `without a key nothing is signed`() throws {
    #expect(try configuration([:]).signer(for: "belfry@example.com", through: "smtp.example.net") == nil)
  }

  @Test func `mails are signed by the first key, as the domain they come from or one that is named`() async throws {
    try await TemporaryDirectory.with { directory in
      let file = directory.file("dkim.pem")
      try PrivateKey(.rsa).pem.write(toFile: file, atomically: true, encoding: .utf8)
      var variables = ["SELECTOR": "s2026", "KEY_FILE": file, "OTHER_SELECTOR": "s2025", "OTHER_KEY_FILE": "/nowhere"]
      let signer = try #require(
        try configuration(variables).signer(for: "belfry@news.example.com", through: "smtp.example.net")
      )
      #expect(signer.selector == "s2026" && signer.domain == "news.example.com")
      variables["DOMAIN"] = "example.com"
      let named = try configuration(variables).signer(for: "belfry@news.example.com", through: "smtp.example.net")
      #expect(named?.domain == "example.com")
    }
  }

  @Test func `a key that cannot be read stops the start and is in no message`() async throws {
    try await TemporaryDirectory.with { directory in
      let file = directory.file("dkim.pem")
      for text in ["no key", try PrivateKey(.p256).pem] {
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let configuration = try configuration(["SELECTOR": "s", "KEY_FILE": file])
        let error = #expect(throws: StartError.self) {
          _ = try configuration.signer(for: "a@example.com", through: "smtp.example.net")
        }
        let description = try #require(error?.description)
        #expect(description.contains(file) && description.contains("BELFRY_EMAIL_DKIM_KEY_FILE"))
        #expect(!description.contains(text))
      }
      let configuration = try configuration(["SELECTOR": "s", "KEY_FILE": "/nowhere/dkim.pem"])
      let error = #expect(throws: StartError.self) {
        _ = try configuration.signer(for: "a@example.com", through: "smtp.example.net")
      }
      #expect(error?.description.contains("cannot read the key for DKIM /nowhere/dkim.pem") == true)
    }
  }

  @Test func `a key that is longer than mailboxes must know stops the start`() async throws {
    try await TemporaryDirectory.with { directory in
      // Of four primes: made in a moment.
      for bits in [4_096, 4_104] {
        let arguments = ["genrsa", "-primes", "4", "-out", "dkim.pem", "\(bits)"]
        try await LocalProcess.run(executable: "openssl", arguments: arguments, directory: directory.path)
        let configuration = try configuration(["SELECTOR": "s", "KEY_FILE": directory.file("dkim.pem")])
        let start = { _ = try configuration.signer(for: "a@example.com", through: "smtp.example.net") }
        if bits == 4_096 {
          try start()
        } else {
          let error = #expect(throws: StartError.self) { try start() }
          #expect(error?.description.contains("has 4104 bits: mailboxes need not know more than 4096") == true)
        }
      }
    }
  }

  @Test(
    arguments: [
      (["SELECTOR": "s"], "SELECTOR and BELFRY_EMAIL_DKIM_KEY_FILE: set both or neither"),
      (["KEY_FILE": "k"], "SELECTOR and BELFRY_EMAIL_DKIM_KEY_FILE: set both or neither"),
      (["SELECTOR": "s s", "KEY_FILE": "k"], "BELFRY_EMAIL_DKIM_SELECTOR: expected"),
      (["OTHER_SELECTOR": "s", "OTHER_KEY_FILE": "k"], "BELFRY_EMAIL_DKIM_OTHER_KEY_FILE is of use only beside"),
      (
        ["SELECTOR": "s", "KEY_FILE": "k", "OTHER_SELECTOR": "S", "OTHER_KEY_FILE": "l"],
        "two keys cannot have one name"
      ),
      (["DOMAIN": "example com"], "BELFRY_EMAIL_DKIM_DOMAIN"),
      (["UNSIGNED_HEADERS": "Date, From"], "'from' is no header that may be left out"),
      (["UNSIGNED_HEADERS": "X-Other"], "'x-other' is no header that may be left out"),
    ] as [([String: String], String)]
  )
  func `what cannot be meant stops the start`(_ variables: [String: String], _ words: String) {
    #expect(problem(variables)?.contains(words) == true)
  }

  @Test(arguments: [
    ("email-smtp.eu-west-1.amazonaws.com", true), ("EMAIL-SMTP.us-east-1.amazonaws.com", true),
    ("email-smtp.cn-north-1.amazonaws.com.cn", true), ("email-smtp-fips.us-east-1.amazonaws.com", true),
    ("vpce-0a1b2c3d-4e5f.email-smtp.us-east-1.vpce.amazonaws.com", true),
    ("vpce-0a1b2c3d-4e5f-us-east-1a.email-smtp.us-east-1.vpce.amazonaws.com", true), ("smtp.example.com", false),
    ("ec2-198-51-100-1.compute-1.amazonaws.com", false), ("email-smtp.example.com", false),
    ("email-smtp.eu-west-1.amazonaws.com.evil.example", false),
  ]) func `what Amazon SES writes anew is known`(_ host: String, _ isSES: Bool) {
    #expect(DKIMConfiguration.rewritten(by: host) == (isSES ? ["message-id", "date"] : []))
  }
}
