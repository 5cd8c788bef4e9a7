import Cryptography
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
    /// With `--transcript` alone, as what follows.
    var line: String?
    var user: String?
    var password: String?
    var sender: String?
    var content: String?
  }

  let port: Int
  private let journal: String
  /// The file of who has signed its certificate; nil: it has none.
  let authority: String?
  private let hasLogin: Bool

  /// Runs a server for the body, and stops it whatever happens.
  ///
  /// - Parameters:
  ///   - isProtected: It takes mails after STARTTLS alone.
  ///   - hasLogin: It takes them after AUTH alone.
  static func with(
    _ arguments: [String],
    isProtected: Bool = false,
    hasLogin: Bool = false,
    _ body: (MoodyServer) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let python = try Python.interpreter()
      let server = MoodyServer(
        port: try FreePort.find(),
        journal: directory.file("journal.jsonl"),
        authority: isProtected ? directory.file("authority.pem") : nil,
        hasLogin: hasLogin
      )
      if isProtected { try makeCertificate(in: directory) }
      let protection = isProtected ? ["--tls", directory.file("server.pem"), directory.file("key.pem")] : []
      let log = directory.file("server.log")
      let process = try LocalProcess.spawn(
        executable: python,
        arguments: [
          Python.script("Tests/EmailDispatcherTests/Support/moody_server.py"), "\(server.port)", server.journal,
        ] + protection + (hasLogin ? ["--login"] : []) + arguments,
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

  private static func makeCertificate(in directory: TemporaryDirectory) throws {
    let authorityKey = try PrivateKey(.p256)
    let authority = try Certificate.authority(named: "authority", key: authorityKey, days: 2)
    let key = try PrivateKey(.p256)
    let certificate = try Certificate.server(
      for: ["127.0.0.1"],
      key: key.publicKey,
      days: 2,
      signedBy: (authority, authorityKey)
    )
    for (name, pem) in [("authority", authority.pem), ("server", certificate.pem), ("key", key.pem)] {
      try pem.write(toFile: directory.file("\(name).pem"), atomically: true, encoding: .utf8)
    }
  }

  func client(connections: Int = 1) -> SMTPClient {
    var configuration = SMTPConfiguration(
      host: "127.0.0.1",
      port: port,
      security: authority == nil ? .none : .startTLS,
      username: hasLogin ? "belfry" : nil,
      password: hasLogin ? "a password" : nil,
      caFile: authority
    )
    configuration.maximumConnections = connections
    configuration.timeout = .seconds(1)
    configuration.connectTimeout = .seconds(1)
    configuration.contentTimeout = .seconds(1)
    return SMTPClient(configuration: configuration, logger: .quiet)
  }

  /// Mails that came in full.
  func messages() throws -> [Event] { try events().filter { $0.event == "message" } }

  /// Those to one of the tests' people.
  func messages(to number: Int) throws -> [Event] {
    try messages().filter { $0.recipient == "user-\(number)@example.com" }
  }

  /// How many connections there were.
  func connections() throws -> Int { try events().count { $0.event == "connection" } }

  func events() throws -> [Event] {
    guard FileManager.default.fileExists(atPath: journal) else { return [] }
    let text = try String(contentsOfFile: journal, encoding: .utf8)
    // What follows the last line end is still being written.
    return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      try JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
  }
}
