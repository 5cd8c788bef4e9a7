import Foundation
import LocalStack
import TestSupport
import Testing

/// A server that misbehaves on purpose; see `h2_server.py` for what each path does.
struct OddHTTP2Server: Sendable {
  let port: Int
  let directory: TemporaryDirectory
  private let process: LocalProcess

  var url: String { "https://127.0.0.1:\(port)" }

  /// Runs a server for the body, and stops it whatever happens.
  static func with(_ arguments: [String] = [], _ body: (OddHTTP2Server) async throws -> Void) async throws {
    try await TemporaryDirectory.with { directory in
      try await directory.makeCertificate()
      let port = try FreePort.find()
      let process = try LocalProcess.spawn(
        executable: try Python.interpreter(),
        arguments: [
          Python.script("Tests/TransportTests/Support/h2_server.py"), "\(port)", directory.certificate, directory.key,
        ] + arguments,
        logFile: directory.file("server.log")
      )
      let server = OddHTTP2Server(port: port, directory: directory, process: process)
      do {
        try await eventually("the server listens") { TestPeer.isOpen(port) || !process.isRunning }
        let log = try server.log()
        try #require(process.isRunning, "the server ended: \(log)")
        try await body(server)
        await server.kill()
      } catch {
        await server.kill()
        throw error
      }
    }
  }

  private func kill() async {
    process.signal(SIGKILL)
    await process.waitForExit()
  }

  func log() throws -> String {
    try String(contentsOfFile: directory.file("server.log"), encoding: .utf8)
  }
}
