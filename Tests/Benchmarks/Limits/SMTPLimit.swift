import Foundation
import LocalStack

/// What other senders reach against the same mail server, without TLS: postfix's smtp-source, and Python's smtplib.
struct SMTPLimit: Sendable {
  let port: Int
  let sessions: Int
  let count: Int
  /// Bytes of each mail.
  let size: Int

  /// smtp-source, or smtplib where there is none.
  ///
  /// - Returns: Mails per second, and who sent them.
  func measure() async throws -> (name: String, perSecond: Double) {
    if try Self.source() != nil { return ("smtp-source", try await smtpSource()) }
    return ("Python smtplib", try await smtplib())
  }

  /// What `BELFRY_SMTP_SOURCE` names, the installed one, or that which `.ci/smtp-source` has unpacked.
  private static func source() throws -> String? {
    let files = FileManager.default
    if let named = ProcessInfo.processInfo.environment["BELFRY_SMTP_SOURCE"], !named.isEmpty {
      guard files.isExecutableFile(atPath: named) else {
        throw BenchError("BELFRY_SMTP_SOURCE names \(named), which is no program")
      }
      return URL(filePath: named).path
    }
    let unpacked = ForeignSender.root.appending(path: ".belfry/postfix/usr/sbin/smtp-source").path
    return ["/usr/sbin/smtp-source", unpacked].first { files.isExecutableFile(atPath: $0) }
  }

  /// - Returns: Mails per second.
  /// - Throws: What is missing, and what fetches it.
  func smtpSource() async throws -> Double {
    guard let source = try Self.source() else {
      throw BenchError("there is no smtp-source; `.ci/smtp-source` unpacks Debian's")
    }
    // Postfix's libraries lie beside it: `usr/lib/postfix` beside `usr/sbin`.
    let libraries = URL(filePath: source).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "lib/postfix").path
    let started = WallTime.now
    try await LocalProcess.run(
      executable: source,
      arguments: [
        "-d", "-s", "\(sessions)", "-m", "\(count)", "-l", "\(size)", "-f", "bench@localhost", "-t", "to@example.com",
        "inet:127.0.0.1:\(port)",
      ],
      environment: LocalProcess.inheritedEnvironment.merging(["LD_LIBRARY_PATH": libraries]) { $1 }
    )
    return Double(count) / WallTime.seconds(from: started, to: WallTime.now)
  }

  /// - Returns: Mails per second.
  func smtplib() async throws -> Double {
    let output = try await LocalProcess.run(
      executable: "python3",
      arguments: ["-c", Self.script, "\(port)", "\(sessions)", "\(count)", "\(size)"],
      within: .seconds(120)
    )
    guard let rate = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchError("the Python loop said something unexpected: \(output)")
    }
    return rate
  }

  /// A process per session: one interpreter would be limited by its lock. Counts from the first connection on.
  private static let script = """
    import multiprocessing, smtplib, sys, time
    port, sessions, count, size = map(int, sys.argv[1:])
    message = "From: bench@localhost\\r\\nTo: to@example.com\\r\\nSubject: x\\r\\n\\r\\n" + ("x" * 70 + "\\r\\n") * (size // 72)
    def send(_):
        client = smtplib.SMTP("127.0.0.1", port)
        for _ in range(count // sessions):
            client.sendmail("bench@localhost", ["to@example.com"], message)
        client.quit()
    with multiprocessing.Pool(sessions) as pool:
        started = time.time()
        pool.map(send, range(sessions), chunksize=1)
        print(count // sessions * sessions / (time.time() - started))
    """
}
