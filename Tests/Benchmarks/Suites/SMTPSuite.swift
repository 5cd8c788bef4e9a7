import Foundation
import LocalStack
import Transport

/// The SMTP client beside another sender, against the simulator's sink.
struct SMTPSuite {
  let bench: Bench

  private static let sessions = 4

  func measure() async throws {
    let count = bench.options.seconds * 400
    let message = try MIMEMessage(
      from: MIMEAddress(name: "Belfry", address: "bench@localhost"),
      to: MIMEAddress(name: "Maria", address: "to@example.com"),
      subject: "Allowance received",
      messageID: "bench@localhost",
      date: Date.now,
      text: "You received $10.00. Your balance is $42.00.",
      html: "<p>You received $10.00. Your balance is $42.00.</p>"
    ).encoded()
    let limit = try await SMTPLimit(
      port: bench.stack.smtpPort,
      sessions: Self.sessions,
      count: count,
      size: message.count
    ).measure()
    try await bench.simulator.reset()
    let plain = try await send(message, count: count, security: .none)
    bench.add(
      Measurement(
        .smtp,
        "mails, \(Self.sessions) connections",
        plain,
        "/s",
        limit: (limit.name, limit.perSecond),
        budget: .shareAtLeast(0.7)
      )
    )
    let encrypted = try await send(message, count: count, security: .startTLS)
    bench.add(Measurement(.smtp, "the same with STARTTLS", encrypted, "/s", limit: (limit.name, limit.perSecond)))
    let accepted = try await bench.simulator.mails().accepted
    guard accepted == 2 * (count / 64 * 64) else { throw BenchError("the sink took \(accepted) mails of \(2 * count)") }
    try await bench.simulator.reset()
  }

  private func send(_ message: [UInt8], count: Int, security: SMTPSecurity) async throws -> Double {
    var configuration = SMTPConfiguration(host: "localhost", port: bench.stack.smtpPort, security: security)
    configuration.caFile = "\(bench.stack.simulatorDirectory)/ca.pem"
    configuration.maximumConnections = Self.sessions
    let client = SMTPClient(configuration: configuration, logger: .bench)
    let envelope = SMTPEnvelope(sender: "bench@localhost", recipients: ["to@example.com"], message: message)
    let started = WallTime.now
    try await withThrowingDiscardingTaskGroup { callers in
      for _ in 0..<64 {
        callers.addTask { @concurrent in
          for _ in 0..<count / 64 {
            let reply = try await client.send(envelope)
            guard reply.accepted else { throw BenchError("the sink answered \(reply.code) \(reply.text)") }
          }
        }
      }
    }
    let rate = Double(count / 64 * 64) / WallTime.seconds(from: started, to: WallTime.now)
    await client.close()
    return rate
  }
}
