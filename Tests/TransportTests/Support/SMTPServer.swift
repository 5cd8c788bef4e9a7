import Foundation
import LocalStack
import TestSupport
import Testing

/// aiosmtpd, a foreign mail server; see `smtp_server.py` for what it does and records.
struct SMTPServer: Sendable {
  enum Security { case none, startTLS, tls }

  struct Event: Decodable {
    var event: String
    var connection: Int?
    var tls: Bool?
    var user: String?
    var sender: String?
    var recipients: [String]?
    var headers: [[String]]?
    var defects: [String]?
    var type: String?
    var parts: [[String]]?
    var longest: Int?

    func header(_ name: String) -> String? { headers?.first { $0[0] == name }?[1] }
  }

  let port: Int
  let directory: TemporaryDirectory
  let process: LocalProcess

  /// Runs a server for the body, and stops it whatever happens.
  static func with(
    _ security: Security = .startTLS,
    arguments: [String] = [],
    _ body: (SMTPServer) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try await directory.makeCertificate()
      let server = try await start(in: directory, port: FreePort.find(), security, arguments: arguments)
      do {
        try await body(server)
        await server.kill()
      } catch {
        await server.kill()
        throw error
      }
    }
  }

  static func start(
    in directory: TemporaryDirectory,
    port: Int,
    _ security: Security,
    arguments: [String] = []
  ) async throws -> SMTPServer {
    let python = try Python.interpreter()
    let protection =
      switch security {
      case .none: [] as [String]
      case .startTLS: ["--starttls", directory.certificate, directory.key]
      case .tls: ["--tls", directory.certificate, directory.key]
      }
    let readyBefore = try events(in: directory).count { $0.event == "ready" }
    let log = directory.file("smtp.log")
    let process = try LocalProcess.spawn(
      executable: python,
      arguments: [Python.script("Tests/TransportTests/Support/smtp_server.py"), "\(port)", journal(in: directory)]
        + protection + arguments,
      logFile: log
    )
    try await eventually("the mail server is ready") {
      try events(in: directory).count { $0.event == "ready" } > readyBefore || !process.isRunning
    }
    let output = try String(contentsOfFile: log, encoding: .utf8)
    try #require(process.isRunning, "smtp_server.py ended: \(output)")
    return SMTPServer(port: port, directory: directory, process: process)
  }

  /// The messages recorded so far.
  func messages() throws -> [Event] {
    try Self.events(in: directory).filter { $0.event == "message" }
  }

  func kill() async {
    process.signal(SIGKILL)
    await process.waitForExit()
  }

  private static func journal(in directory: TemporaryDirectory) -> String { directory.file("journal.jsonl") }

  private static func events(in directory: TemporaryDirectory) throws -> [Event] {
    let journal = journal(in: directory)
    guard FileManager.default.fileExists(atPath: journal) else { return [] }
    let text = try String(contentsOfFile: journal, encoding: .utf8)
    // What follows the last line end is still being written.
    return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      try JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
  }
}
