import Foundation
import Glibc
import LocalStack
import Logging
import TestSupport
import Testing
import Transport

@Suite(.serialized, .timeLimit(.minutes(2))) struct SMTPClientTests {
  private func client(
    _ server: SMTPServer,
    security: SMTPSecurity = .startTLS,
    _ change: (inout SMTPConfiguration) -> Void = { _ in }
  ) -> SMTPClient {
    var configuration = SMTPConfiguration(
      host: "127.0.0.1",
      port: server.port,
      security: security,
      caFile: server.directory.certificate
    )
    change(&configuration)
    return SMTPClient(configuration: configuration, logger: Logger(label: "test"))
  }

  private func envelope(to recipient: String, text: String = "Hello") throws -> SMTPEnvelope {
    let message = MIMEMessage(
      from: MIMEAddress(name: "Belfry", address: "belfry@example.org"),
      to: MIMEAddress(address: recipient),
      subject: "Hello",
      messageID: "\(recipient)",
      date: Date(timeIntervalSince1970: 0),
      text: text
    )
    return SMTPEnvelope(sender: "bounces@example.org", recipients: [recipient], message: try message.encoded())
  }

  private func error(_ work: () async throws -> SMTPReply) async -> TransportError? {
    await #expect(throws: TransportError.self) { _ = try await work() }
  }

  @Test func `a probe hands over no mail, and the connection then takes one`() async throws {
    try await SMTPServer.with(arguments: ["--auth", "belfry", "secret"]) { server in
      let client = client(server) {
        $0.username = "belfry"
        $0.password = "secret"
      }
      let probed = try await client.probe("belfry@example.org")
      #expect(probed.accepted)
      #expect(try server.messages().isEmpty)
      #expect(try await client.send(envelope(to: "jane@example.org")).accepted)
      await client.close()
      #expect(try server.messages().map(\.recipients) == [["jane@example.org"]])
      let stranger = self.client(server) {
        $0.username = "belfry"
        $0.password = "wrong"
      }
      #expect(await error { try await stranger.probe("belfry@example.org") }?.code == .authenticationFailed)
      await stranger.close()
    }
  }

  @Test func `a message goes over STARTTLS with a password, and a foreign reader finds what was written`() async throws
  {
    try await SMTPServer.with(arguments: ["--auth", "belfry", "pass word"]) { server in
      let client = client(server) {
        $0.username = "belfry"
        $0.password = "pass word"
      }
      let text = "Zahlung über 10 € = gut 🎂\n.\n..dots\n" + String(repeating: "lang ", count: 300) + "\nEnde"
      let subject = "Grüße an Zoë 🎂👨‍👩‍👧 — " + String(repeating: "ein sehr langer Betreff ", count: 8) + "Ende"
      var message = MIMEMessage(
        from: MIMEAddress(name: "Bücher & \"Co\"", address: "belfry@example.org"),
        to: MIMEAddress(name: "Doe, \"J\\\" Jane", address: "jane@example.org"),
        subject: subject,
        messageID: "1.email@example.org",
        date: Date(timeIntervalSince1970: 1_709_164_800),
        text: text,
        html: "<p>Zahlung über <b>10 €</b> 🎂</p>"
      )
      message.extraHeaders = [
        ("List-Unsubscribe", "<https://example.org/u/\(String(repeating: "x", count: 90))>"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
      ]
      let reply = try await client.send(
        SMTPEnvelope(sender: "bounces@example.org", recipients: ["jane@example.org"], message: try message.encoded())
      )
      #expect(reply == SMTPReply(code: 250, enhancedCode: "2.0.0", text: "Taken"))
      #expect(reply.accepted)
      await client.close()

      let received = try #require(try server.messages().first)
      #expect(received.tls == true)
      #expect(received.user == "belfry")
      #expect(received.sender == "bounces@example.org")
      #expect(received.recipients == ["jane@example.org"])
      #expect(received.defects == [])
      #expect(received.header("Subject") == subject)
      #expect(received.header("From") == #""Bücher & \"Co\"" <belfry@example.org>"#)
      #expect(received.header("To") == #""Doe, \"J\\\" Jane" <jane@example.org>"#)
      #expect(received.header("Message-ID") == "<1.email@example.org>")
      #expect(received.header("Date") == "Thu, 29 Feb 2024 00:00:00 +0000")
      #expect(received.header("Auto-Submitted") == "auto-generated")
      #expect(received.header("List-Unsubscribe-Post") == "List-Unsubscribe=One-Click")
      #expect(received.type == "multipart/alternative")
      #expect(
        received.parts == [
          ["text/plain", text.replacing("\n", with: "\r\n")], ["text/html", "<p>Zahlung über <b>10 €</b> 🎂</p>"],
        ]
      )
    }
  }

  @Test func `TLS from the first byte`() async throws {
    try await SMTPServer.with(.tls) { server in
      let client = client(server, security: .tls)
      let reply = try await client.send(envelope(to: "mara@example.org"))
      #expect(reply.code == 250)
      await client.close()
      #expect(try server.messages().first?.tls == true)
    }
  }

  @Test func `mail flows to a server that takes commands in one go`() async throws {
    try await SMTPServer.with(arguments: ["--pipelining"]) { server in
      let client = client(server) { $0.maximumConnections = 1 }
      for number in 0..<3 {
        #expect(try await client.send(envelope(to: "unknown@example.org")).code == 550)
        #expect(try await client.send(envelope(to: "user\(number)@example.org")).code == 250)
      }
      await client.close()
      let messages = try server.messages()
      #expect(messages.map(\.recipients) == [["user0@example.org"], ["user1@example.org"], ["user2@example.org"]])
      #expect(messages.map(\.connection) == [1, 1, 1])
    }
  }

  @Test func `a connection that the server has closed while idle is replaced`() async throws {
    try await SMTPServer.with(arguments: ["--idle-timeout", "0.2"]) { server in
      let client = client(server)
      #expect(try await client.send(envelope(to: "first@example.org")).accepted)
      try await eventually("both sides have closed") { try Sockets.open(to: server.port) == 0 }
      #expect(try await client.send(envelope(to: "second@example.org")).accepted)
      await client.close()
      #expect(try server.messages().map(\.connection) == [1, 2])
    }
  }

  @Test(arguments: [
    ("unknown", 550, "5.1.1", "No such mailbox here"), ("busy", 451, "4.3.0", "The mailbox is busy Try again later"),
    ("big", 552, "5.3.4", "Message too big"),
  ])
  func `a refusal is the server's reply, and the next message takes the same connection`(
    local: String,
    code: Int,
    enhancedCode: String,
    text: String
  ) async throws {
    try await SMTPServer.with { server in
      let client = client(server) { $0.maximumConnections = 1 }
      let reply = try await client.send(envelope(to: "\(local)@example.org"))
      let isOfMail = local == "big"
      #expect(reply == SMTPReply(code: code, enhancedCode: enhancedCode, text: text, refusesMail: isOfMail))
      #expect(!reply.accepted)
      #expect(try await client.send(envelope(to: "mara@example.org")).accepted)
      await client.close()
      #expect(try server.messages().map(\.connection) == [1])
    }
  }

  @Test func `many callers share few connections, each sending message after message`() async throws {
    try await SMTPServer.with { server in
      let client = client(server) { $0.maximumConnections = 2 }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask {
            let reply = try await client.send(envelope(to: "user\(number)@example.org"))
            #expect(reply.code == 250)
          }
        }
        try await group.waitForAll()
      }
      await client.close()
      let messages = try server.messages()
      #expect(Set(messages.compactMap { $0.recipients?.first }).count == 100)
      #expect((1...2).contains(Set(messages.compactMap(\.connection)).count))
    }
  }

  @Test func `a wrong password is an error of its own`() async throws {
    try await SMTPServer.with(arguments: ["--auth", "belfry", "right"]) { server in
      let client = client(server) {
        $0.username = "belfry"
        $0.password = "wrong-secret"
      }
      let error = await error { try await client.send(envelope(to: "mara@example.org")) }
      #expect(error?.code == .authenticationFailed)
      #expect(error?.isTransient == false)
      #expect(error?.mayHaveBeenProcessed == false)
      #expect(error.map { String(reflecting: $0).contains("wrong-secret") } == false)
      await client.close()
    }
  }

  @Test func `a server without STARTTLS is refused when TLS is asked for`() async throws {
    try await SMTPServer.with(.none) { server in
      let strict = client(server)
      let error = await error { try await strict.send(envelope(to: "mara@example.org")) }
      #expect(error?.code == .tls)
      #expect(error?.isTransient == false)
      await strict.close()
      let plain = client(server, security: .none)
      let reply = try await plain.send(envelope(to: "mara@example.org"))
      #expect(reply.accepted)
      await plain.close()
      #expect(try server.messages().count == 1)
    }
  }

  @Test func `a certificate of an unknown authority is refused`() async throws {
    try await SMTPServer.with { server in
      try await server.directory.makeCertificate(named: "other-")
      let client = client(server) { $0.caFile = server.directory.file("other-certificate.pem") }
      let error = await error { try await client.send(envelope(to: "mara@example.org")) }
      #expect(error?.code == .tls)
      #expect(error?.isTransient == false)
      await client.close()
      #expect(try server.messages().isEmpty)
    }
  }

  @Test func `a connection cut after the message was sent may have delivered it`() async throws {
    try await SMTPServer.with { server in
      let client = client(server)
      let error = await error { try await client.send(envelope(to: "drop@example.org")) }
      #expect(error?.code == .connectionLost)
      #expect(error?.isTransient == true)
      #expect(error?.mayHaveBeenProcessed == true)
      await client.close()
    }
  }

  @Test func `a missing final reply ends with the timeout`() async throws {
    try await SMTPServer.with { server in
      let client = client(server) { $0.contentTimeout = .seconds(1) }
      let error = await error { try await client.send(envelope(to: "hang@example.org")) }
      #expect(error?.code == .timeout)
      #expect(error?.mayHaveBeenProcessed == true)
      await client.close()
    }
  }

  @Test func `a connection whose server falls silent after a refusal gives way to another one`() async throws {
    try await SMTPServer.with { server in
      let client = client(server) {
        $0.maximumConnections = 1
        $0.timeout = .seconds(1)
      }
      #expect(try await client.send(envelope(to: "silent@example.org")).code == 550)
      // One may run out of time together with the connection; the next must not.
      var reply: SMTPReply?
      for _ in 0..<2 where reply == nil {
        do {
          reply = try await client.send(envelope(to: "ann@example.org"))
        } catch let error as TransportError {
          #expect(error.code == .timeout)
        }
      }
      #expect(reply?.accepted == true)
      await client.close()
    }
  }

  @Test func `a server that has the message is waited for longer than for its other replies`() async throws {
    try await SMTPServer.with { server in
      let client = client(server) { $0.timeout = .seconds(1) }
      let reply = try await client.send(envelope(to: "slow@example.org"))
      #expect(reply.accepted)
      await client.close()
    }
  }

  @Test func `run closes the client when the service stops`() async throws {
    try await SMTPServer.with { server in
      let client = client(server)
      let running = Task { try await client.run() }
      #expect(try await client.send(envelope(to: "mara@example.org")).accepted)
      running.cancel()
      try await running.value
      let error = await error { try await client.send(envelope(to: "late@example.org")) }
      #expect(error?.code == .closed)
    }
  }

  @Test func `a server that accepts and never greets costs no more than the timeout`() async throws {
    let silent = try TestPeer()
    let client = SMTPClient(
      configuration: {
        var configuration = SMTPConfiguration(host: "127.0.0.1", port: silent.port, security: .startTLS)
        configuration.timeout = .milliseconds(300)
        configuration.maximumConnections = 1
        return configuration
      }(),
      logger: Logger(label: "test")
    )
    let start = ContinuousClock.now
    await withTaskGroup(of: TransportError?.self) { group in
      for _ in 0..<5 {
        group.addTask { await error { try await client.send(envelope(to: "mara@example.org")) } }
      }
      for await error in group {
        #expect(error?.code == .timeout)
        #expect(error?.mayHaveBeenProcessed == false)
      }
    }
    await client.close()
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func `turned away by the greeting, the message is to be tried again`() async throws {
    try await SMTPServer.with(.none, arguments: ["--greeting-refusal"]) { server in
      let client = client(server, security: .none)
      let error = await error { try await client.send(envelope(to: "mara@example.org")) }
      #expect(error?.code == .cannotConnect)
      #expect(error?.isTransient == true)
      await client.close()
    }
  }

  @Test func `when the server is killed every waiting caller is answered, and work resumes after its restart`()
    async throws
  {
    try await SMTPServer.with { server in
      let client = client(server)
      #expect(try await client.send(envelope(to: "first@example.org")).accepted)
      server.process.signal(SIGSTOP)
      let outcomes = try await withThrowingTaskGroup(of: TransportError?.self) { group in
        for number in 0..<50 {
          group.addTask {
            do {
              _ = try await client.send(envelope(to: "lost\(number)@example.org"))
              return nil
            } catch let error as TransportError {
              return error
            }
          }
        }
        await server.kill()
        return try await group.reduce(into: [TransportError?]()) { $0.append($1) }
      }
      #expect(outcomes.count == 50)
      for error in outcomes {
        #expect(error?.isTransient == true)
        #expect(error?.mayHaveBeenProcessed == false)
      }
      let again = try await SMTPServer.start(in: server.directory, port: server.port, .startTLS)
      #expect(try await client.send(envelope(to: "back@example.org")).accepted)
      await client.close()
      await again.kill()
    }
  }

  @Test func `a cancelled caller is answered at once, whether it waits or runs`() async throws {
    try await SMTPServer.with { server in
      let client = client(server) { $0.maximumConnections = 1 }
      let hanging = Task { try await client.send(envelope(to: "hang@example.org")) }
      try await eventually("the message is with the server") { try !server.messages().isEmpty }
      let waiting = Task { try await client.send(envelope(to: "waiting@example.org")) }
      waiting.cancel()
      let error1 = await error { try await waiting.value }
      #expect(error1?.code == .cancelled)
      hanging.cancel()
      let error2 = await error { try await hanging.value }
      #expect(error2?.code == .cancelled)
      #expect(try await client.send(envelope(to: "next@example.org")).accepted)
      await client.close()
    }
  }

  @Test(arguments: ["", "a@b>\r\nRCPT TO:<c@d", "a b@example.org", "a@b\0", "<a@b>", "mära@example.org"])
  func `an address that would break its command is refused unsent`(address: String) async throws {
    let client = SMTPClient(
      configuration: SMTPConfiguration(host: "127.0.0.1", port: 1, security: .none),
      logger: Logger(label: "test")
    )
    let message = Array("Subject: x\r\n\r\nx".utf8)
    let recipient = await error {
      try await client.send(SMTPEnvelope(sender: "a@example.org", recipients: [address], message: message))
    }
    #expect(recipient?.code == .invalidRequest("recipient"))
    if !address.isEmpty {
      let sender = await error {
        try await client.send(SMTPEnvelope(sender: address, recipients: ["a@example.org"], message: message))
      }
      #expect(sender?.code == .invalidRequest("sender"))
    }
    await client.close()
  }
}
