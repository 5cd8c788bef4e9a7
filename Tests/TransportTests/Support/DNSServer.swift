import Foundation
import LocalStack
import TestSupport
import Testing
import Transport

/// dnspython as a name server; see `dns_server.py` for what it does with some names.
enum DNSServer {
  /// Runs a server for the body, and stops it whatever happens.
  ///
  /// - Parameter zone: Values as in a zone file, by `NAME TYPE`.
  static func with(_ zone: [String: [String]], _ body: (DNSClient.Server) async throws -> Void) async throws {
    try await TemporaryDirectory.with { directory in
      let file = directory.file("zone.json")
      try JSONEncoder().encode(zone).write(to: URL(filePath: file))
      let port = try FreePort.find()
      let log = directory.file("dns.log")
      let process = try LocalProcess.spawn(
        executable: Python.interpreter(),
        arguments: [Python.script("Tests/TransportTests/Support/dns_server.py"), "\(port)", file],
        logFile: log
      )
      do {
        try await eventually("the name server is ready") {
          try String(contentsOfFile: log, encoding: .utf8).contains("ready") || !process.isRunning
        }
        let output = try String(contentsOfFile: log, encoding: .utf8)
        try #require(process.isRunning, "dns_server.py ended: \(output)")
        let server = try #require(DNSClient.Server("127.0.0.1:\(port)"))
        try await body(server)
        process.signal(SIGKILL)
        await process.waitForExit()
      } catch {
        process.signal(SIGKILL)
        await process.waitForExit()
        throw error
      }
    }
  }
}
