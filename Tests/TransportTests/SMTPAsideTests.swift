import Foundation
import LocalStack
import Logging
import Synchronization
import TestSupport
import Testing
import Transport

/// Messages whose server is long in answering, beside the others.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SMTPAsideTests {
  private func client(_ server: SMTPServer, _ change: (inout SMTPConfiguration) -> Void = { _ in }) -> SMTPClient {
    var configuration = SMTPConfiguration(host: "127.0.0.1", port: server.port, security: .none)
    configuration.maximumConnections = 1
    change(&configuration)
    return SMTPClient(configuration: configuration, logger: Logger(label: "test"))
  }

  /// - Parameter leavesAfter: Nil: it stays.
  private func envelope(to recipient: String, leavesAfter patience: Duration? = .milliseconds(100)) throws
    -> SMTPEnvelope
  {
    let message = MIMEMessage(
      from: MIMEAddress(address: "belfry@example.org"),
      to: MIMEAddress(address: recipient),
      subject: "Hello",
      messageID: recipient,
      date: Date(timeIntervalSince1970: 0),
      text: "Hello"
    )
    var envelope = SMTPEnvelope(
      sender: "bounces@example.org",
      recipients: [recipient],
      message: try message.encoded()
    )
    if let patience { envelope.mayLeave = { waited in waited >= patience } }
    return envelope
  }

  private final class Count: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock(\.self) }

    func increment() { number.withLock { $0 += 1 } }
  }

  /// Leaves as soon as it is asked, which is counted.
  private func envelope(to recipient: String, leaving count: Count) throws -> SMTPEnvelope {
    var envelope = try envelope(to: recipient)
    envelope.mayLeave = { _ in
      count.increment()
      return true
    }
    return envelope
  }

  private func error(_ work: () async throws -> SMTPReply) async -> TransportError? {
    await #expect(throws: TransportError.self) { _ = try await work() }
  }

  private func isWithServer(_ recipient: String, _ server: SMTPServer) throws -> Bool {
    try server.messages().contains { $0.recipients == [recipient] }
  }

  @Test func `a connection that waits for the final answer leaves the pool, and others go on beside it`() async throws {
    try await SMTPServer.with(.none) { server in
      let client = client(server)
      async let hanging = error { try await client.send(envelope(to: "hang@example.org")) }
      try await eventually("the message is with the server") { try isWithServer("hang@example.org", server) }
      for number in 0..<3 { #expect(try await client.send(envelope(to: "user\(number)@example.org")).accepted) }
      #expect(try server.messages().map(\.connection) == [1, 2, 2, 2])
      client.giveUpAnswers()
      let end = await hanging
      #expect(end?.code == .closed && end?.mayHaveBeenProcessed == true)
      await client.close()
    }
  }

  @Test func `one that may not leave is waited for`() async throws {
    try await SMTPServer.with(.none) { server in
      let client = client(server)
      async let slow = client.send(envelope(to: "slow@example.org", leavesAfter: nil))
      try await eventually("the message is with the server") { try isWithServer("slow@example.org", server) }
      #expect(try await client.send(envelope(to: "next@example.org")).accepted)
      #expect(try await slow.accepted)
      #expect(try server.messages().map(\.connection) == [1, 1])
      await client.close()
    }
  }

  @Test func `no more than the given number wait beside the others`() async throws {
    try await SMTPServer.with(.none) { server in
      let client = client(server) {
        $0.maximumAside = 2
        $0.timeout = .seconds(3)
      }
      async let hanging = withTaskGroup(of: TransportError?.self, returning: [TransportError?].self) { group in
        for number in 0..<3 {
          group.addTask { await error { try await client.send(envelope(to: "hang@\(number).example.org")) } }
        }
        return await group.reduce(into: [TransportError?]()) { $0.append($1) }
      }
      try await eventually("all three are with the server") { try server.messages().count == 3 }
      let left = await error { try await client.send(envelope(to: "fourth@example.org")) }
      #expect(left?.code == .timeout && left?.mayHaveBeenProcessed == false)
      #expect(try server.messages().count == 3)
      client.giveUpAnswers()
      #expect(await hanging.allSatisfy { $0?.code == .closed && $0?.mayHaveBeenProcessed == true })
      await client.close()
    }
  }

  @Test func `64 wait beside the others unless it is said otherwise, and the next one stays`() async throws {
    try await SMTPServer.with(.none) { server in
      let client = client(server) {
        $0.maximumConnections = 32
        $0.timeout = .seconds(30)
      }
      let (left, asked) = (Count(), Count())
      async let hanging = withTaskGroup(of: TransportError?.self, returning: [TransportError?].self) { group in
        for number in 0..<64 {
          group.addTask {
            await error { try await client.send(envelope(to: "hang@\(number).example.org", leaving: left)) }
          }
        }
        return await group.reduce(into: [TransportError?]()) { $0.append($1) }
      }
      try await eventually("all of them have left the pool, and are with the server") {
        try left.value == 64 && server.messages().count == 64
      }
      // The server takes two seconds: time enough to ask, if another one might leave.
      #expect(try await client.send(envelope(to: "slow@example.org", leaving: asked)).accepted)
      #expect(asked.value == 0)
      client.giveUpAnswers()
      #expect(await hanging.allSatisfy { $0?.code == .closed && $0?.mayHaveBeenProcessed == true })
      await client.close()
    }
  }

  @Test func `a late answer counts, and the connection that has it is one too many`() async throws {
    try await SMTPServer.with(.none) { server in
      let client = client(server)
      async let slow = client.send(envelope(to: "slow@example.org"))
      try await eventually("the message is with the server") { try isWithServer("slow@example.org", server) }
      #expect(try await client.send(envelope(to: "next@example.org")).accepted)
      #expect(try await slow.accepted)
      try await eventually("one connection is left") { try Sockets.open(to: server.port) == 1 }
      #expect(try await client.send(envelope(to: "last@example.org")).accepted)
      #expect(try server.messages().map(\.connection) == [1, 2, 2])
      await client.close()
    }
  }

  @Test func `with room in the pool the connection comes back`() async throws {
    try await SMTPServer.with(.none) { server in
      let client = client(server)
      for recipient in ["slow@example.org", "next@example.org"] {
        let reply = try await client.send(envelope(to: recipient))
        #expect(reply.accepted)
      }
      #expect(try server.messages().map(\.connection) == [1, 1])
      await client.close()
    }
  }

  @Test func `once answers are given up, none is waited for, and what has not been sent is`() async throws {
    try await SMTPServer.with(.none) { server in
      let client = client(server)
      client.giveUpAnswers()
      let late = await error { try await client.send(envelope(to: "hang@example.org")) }
      #expect(late?.code == .closed && late?.mayHaveBeenProcessed == true)
      let unknown = try await client.send(envelope(to: "unknown@example.org"))
      #expect(unknown.code == 550)
      await client.close()
    }
  }

  @Test func `the hook is asked until it agrees, with times that grow`() async throws {
    try await SMTPServer.with(.none) { server in
      let client = client(server)
      let asked = Mutex<[Duration]>([])
      var envelope = try envelope(to: "slow@example.org")
      envelope.mayLeave = { waited in
        asked.withLock { asked in
          asked.append(waited)
          return asked.count == 3
        }
      }
      #expect(try await client.send(envelope).accepted)
      let times = asked.withLock(\.self)
      #expect(times.count == 3 && times == times.sorted())
      await client.close()
    }
  }
}
