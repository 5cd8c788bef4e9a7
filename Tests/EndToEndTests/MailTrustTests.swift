import Cryptography
import Foundation
import LocalStack
import TestSupport
import Testing

extension EndToEndTests {
  /// What makes providers trust mails: signatures, and records about them.
  @Suite(.serialized) struct MailTrustTests {
    private static func publicText(_ key: PrivateKey) -> String {
      key.publicKey.pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    }

    @Test func `a mail that is sent is signed, and dkimpy verifies it`() async throws {
      try await TemporaryDirectory.with { directory in
        let key = try PrivateKey(.rsa)
        let file = directory.file("dkim.pem")
        try key.pem.write(toFile: file, atomically: true, encoding: .utf8)
        let settings = [
          "BELFRY_EMAIL_FROM": "news@example.com", "BELFRY_EMAIL_DKIM_SELECTOR": "belfry2026",
          "BELFRY_EMAIL_DKIM_KEY_FILE": file,
        ]
        try await TestStack.with(variables: [.email: settings], in: directory.path) { belfry in
          let ann = try await belfry.makeUser(email: true, platforms: [])
          _ = try await belfry.send(
            #"{"to":{"users":["\#(ann.id)"]},"type":10,"data":{"amount":"10 €","balance":"über 20 €"}}"#
          ).expect(202)
          try await eventually("the mail is there") { try await !belfry.mails(to: ann.email).isEmpty }
          let mail = try #require(try await belfry.mails(to: ann.email).first?["raw"] as? String)
          #expect(
            mail.hasPrefix("DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com;\r\n s=belfry2026;")
          )
          let document: [String: Any] = [
            "mail": Data(mail.utf8).base64EncodedString(), "record": "v=DKIM1; k=rsa; p=\(Self.publicText(key))",
            "name": "belfry2026._domainkey.example.com", "isGood": true,
          ]
          let judged = directory.file("judged.json")
          try JSONSerialization.data(withJSONObject: document).write(to: URL(filePath: judged))
          let objections = try Python.lines(of: "Tests/EmailDispatcherTests/dkim_judge.py", [judged])
          #expect(objections.isEmpty, "\(objections.map { String(decoding: $0, as: UTF8.self) })")
        }
      }
    }

    /// Runs a name server for the body; see `dns_server.py`.
    private func withNames(
      _ zone: [String: [String]],
      in directory: TemporaryDirectory,
      _ body: (String) async throws -> Void
    )
      async throws
    {
      let (file, log, port) = (directory.file("zone.json"), directory.file("dns.log"), try FreePort.find())
      try JSONEncoder().encode(zone).write(to: URL(filePath: file))
      let process = try LocalProcess.spawn(
        executable: Python.interpreter(),
        arguments: [Python.script("Tests/TransportTests/Support/dns_server.py"), "\(port)", file],
        logFile: log
      )
      do {
        try await eventually("the name server is ready") {
          try String(contentsOfFile: log, encoding: .utf8).contains("ready") || !process.isRunning
        }
        try await body("127.0.0.1:\(port)")
      } catch {
        process.signal(SIGKILL)
        await process.waitForExit()
        throw error
      }
      process.signal(SIGKILL)
      await process.waitForExit()
    }

    @Test func `check mail says what is in order and what is not, and sends nothing`() async throws {
      try await TestStack.with { belfry in
        try await TemporaryDirectory.with { directory in
          let key = try PrivateKey(.rsa)
          let file = directory.file("dkim.pem")
          try key.pem.write(toFile: file, atomically: true, encoding: .utf8)
          let variables = [
            "BELFRY_EMAIL_HOST": "localhost", "BELFRY_EMAIL_PORT": "\(belfry.stack.smtpPort)",
            "BELFRY_EMAIL_CA_FILE": "\(belfry.stack.simulatorDirectory)/ca.pem", "BELFRY_EMAIL_USERNAME": "belfry",
            "BELFRY_EMAIL_PASSWORD": "belfry", "BELFRY_EMAIL_FROM": "news@example.com",
            "BELFRY_EMAIL_DOMAIN": "example.com",
            "BELFRY_EMAIL_DKIM_SELECTOR": "s1", "BELFRY_EMAIL_DKIM_KEY_FILE": file,
            "BELFRY_PUBLIC_URL": "https://localhost:\(try FreePort.find())",
            "BELFRY_UNSUBSCRIBE_KEYS": String(repeating: "k", count: 32),
          ]
          let text = "v=DKIM1; k=rsa; p=\(Self.publicText(key))"
          let zone = [
            "example.com TXT": [#""v=spf1 ip4:203.0.113.7 -all""#], "example.com MX": ["10 mx.example.com."],
            "mx.example.com A": ["203.0.113.7"], "7.113.0.203.in-addr.arpa PTR": ["mx.example.com."],
            "_dmarc.example.com TXT": [#""v=DMARC1; p=reject; rua=mailto:d@example.com""#],
            "s1._domainkey.example.com TXT": ["\"\(text.prefix(200))\" \"\(text.dropFirst(200))\""],
          ]
          try await withNames(zone, in: directory) { resolver in
            let arguments = ["check", "mail", "--resolver", resolver, "--address"]
            let good = try await belfry.belfry(arguments + ["203.0.113.7"], variables: variables)
            #expect(good.status == 0, "\(good.output)")
            // Nobody listens at the address of the links, which may be right where this command runs: it is said, and is no failure.
            let others = good.output.split(separator: "\n").prefix { !$0.hasPrefix("unsubscribe: ") }
            #expect(others.count > 5 && others.allSatisfy { $0.contains(": ok: ") }, "\(good.output)")
            #expect(good.output.contains("cannot be seen from here"), "\(good.output)")
            #expect(good.output.contains("dkim: ok: s1._domainkey.example.com is the key that signs"), "\(good.output)")
            let bad = try await belfry.belfry(arguments + ["203.0.113.8", "--json"], variables: variables)
            #expect(bad.status == 1, "\(bad.output)")
            for words in [
              "example.com does not let 203.0.113.8 send", "203.0.113.8 has no name (PTR)", #""verdict":"failed""#,
            ] { #expect(bad.output.contains(words), "\(bad.output)") }
            let refused = variables.merging(["BELFRY_EMAIL_PASSWORD": "wrong"]) { $1 }
            let stranger = try await belfry.belfry(arguments + ["203.0.113.7"], variables: refused)
            #expect(stranger.status == 1 && stranger.output.contains("BELFRY_EMAIL_PASSWORD"), "\(stranger.output)")
            #expect(!stranger.output.contains("wrong"))
            let mistyped = try await belfry.belfry(arguments + ["mx.example.com"], variables: variables)
            #expect(
              mistyped.status == 1 && mistyped.output.contains("--address: expected an IP address"),
              "\(mistyped.output)"
            )
          }
        }
      }
    }
  }
}
