import Foundation
import LocalStack
import TestSupport
import Testing
import Transport

/// A mail server that misbehaves; see `moody_server.py`.
struct MoodyServer: Sendable {
  struct Event: Decodable {
    var event: String
    var verb: String?
    var what: String?
    var recipient: String?
    var messageID: String?
  }

  let port: Int
  private let journal: String

  /// Runs a server for the body, and stops it whatever happens.
  static func with(_ arguments: [String], _ body: (MoodyServer) async throws -> Void) async throws {
    try await TemporaryDirectory.with { directory in
      let python = try Python.interpreter()
      let server = MoodyServer(port: try FreePort.find(), journal: directory.file("journal.jsonl"))
      let log = directory.file("server.log")
      let process = try LocalProcess.spawn(
        executable: python,
        arguments: [
          Python.script("Tests/EmailDispatcherTests/Support/moody_server.py"), "\(server.port)", server.journal,
        ] + arguments,
        logFile: log
      )
      do {
        try await eventually("the mail server is ready") {
          try server.events().contains { $0.event == "ready" } || !process.isRunning
        }
        let output = try String(contentsOfFile: log, encoding: .utf8)
        try #require(process.isRunning, "moody_server.py ended: \(output)")
        try await body(server)
      } catch {
        process.signal(SIGKILL)
        await process.waitForExit()
        throw error
      }
      process.signal(SIGKILL)
      await process.waitForExit()
    }
  }

  func client(connections: Int = 1) -> SMTPClient {
    var configuration = SMTPConfiguration(host: "127.0.0.1", port: port, security: .none)
    configuration.maximumConnections = connections
    configuration.timeout = .seconds(1)
    configuration.connectTimeout = .seconds(1)
    configuration.contentTimeout = .seconds(1)
    return SMTPClient(configuration: configuration, logger: .quiet)
  }

  /// Mails that came in full.
  func messages() throws -> [Event] { try events().filter { $0.event == "message" } }

  func events() throws -> [Event] {
    guard FileManager.default.fileExists(atPath: journal) else { return [] }
    let text = try String(contentsOfFile: journal, encoding: .utf8)
    // What follows the last line end is still being written.
    return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      try JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
  }
}
