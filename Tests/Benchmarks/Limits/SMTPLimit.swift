import Foundation
import LocalStack

/// What another sender reaches against the same mail server, without TLS: postfix's smtp-source, or Python's smtplib.
enum SMTPLimit {
  /// - Returns: Mails per second, and who sent them.
  static func measure(port: Int, sessions: Int, count: Int, size: Int) async throws -> (name: String, perSecond: Double)
  {
    if let source { return try await smtpSource(source, port, sessions, count, size) }
    return try await smtplib(port: port, sessions: sessions, count: count, size: size)
  }

  /// Both, if there is an smtp-source.
  static func all(port: Int, sessions: Int, count: Int, size: Int) async throws -> [(name: String, perSecond: Double)] {
    var all = [try await smtplib(port: port, sessions: sessions, count: count, size: size)]
    if let source { all.append(try await smtpSource(source, port, sessions, count, size)) }
    return all
  }

  /// Debian's, or what `BELFRY_SMTP_SOURCE` names: the package can be unpacked without being installed.
  private static var source: String? {
    let source = ProcessInfo.processInfo.environment["BELFRY_SMTP_SOURCE"] ?? "/usr/sbin/smtp-source"
    return FileManager.default.isExecutableFile(atPath: source) ? source : nil
  }

  private static func smtpSource(
    _ source: String,
    _ port: Int,
    _ sessions: Int,
    _ count: Int,
    _ size: Int
  ) async throws -> (name: String, perSecond: Double) {
    let started = WallTime.now
    try await LocalProcess.run(
      executable: source,
      arguments: [
        "-d", "-s", "\(sessions)", "-m", "\(count)", "-l", "\(size)", "-f", "bench@localhost", "-t", "to@example.com",
        "inet:127.0.0.1:\(port)",
      ]
    )
    return ("smtp-source", Double(count) / WallTime.seconds(from: started, to: WallTime.now))
  }

  private static func smtplib(
    port: Int,
    sessions: Int,
    count: Int,
    size: Int
  ) async throws -> (name: String, perSecond: Double) {
    let output = try await LocalProcess.run(
      executable: "python3",
      arguments: ["-c", script, "\(port)", "\(sessions)", "\(count)", "\(size)"],
      within: .seconds(120)
    )
    guard let rate = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchError("the Python loop said something unexpected: \(output)")
    }
    return ("Python smtplib", rate)
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
