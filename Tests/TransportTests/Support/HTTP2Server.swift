import Foundation
import LocalStack
import TestSupport
import Testing

/// nghttpd, a foreign HTTP/2 server: echoes what is posted, serves `file` of 100,000 bytes, logs every frame.
struct HTTP2Server: Sendable {
  let port: Int
  let directory: TemporaryDirectory
  let process: LocalProcess

  var url: String { "https://127.0.0.1:\(port)" }

  /// Runs a server for the body, and stops it whatever happens.
  static func with(_ body: (HTTP2Server) async throws -> Void) async throws {
    try await TemporaryDirectory.with { directory in
      try await directory.makeCertificate()
      try Data(repeating: 0x61, count: 100_000).write(to: URL(filePath: directory.file("file")))
      let server = try await start(in: directory, port: FreePort.find())
      do {
        try await body(server)
        await server.kill()
      } catch {
        await server.kill()
        throw error
      }
    }
  }

  static func start(in directory: TemporaryDirectory, port: Int) async throws -> HTTP2Server {
    let process = try LocalProcess.spawn(
      executable: "nghttpd",
      arguments: [
        "--verbose", "--echo-upload", "--htdocs", directory.path, "\(port)", directory.key, directory.certificate,
      ],
      logFile: directory.file("nghttpd.log")
    )
    let server = HTTP2Server(port: port, directory: directory, process: process)
    try await eventually("nghttpd listens") { TestPeer.isOpen(port) || !process.isRunning }
    let log = try server.log()
    try #require(process.isRunning, "nghttpd ended: \(log)")
    return server
  }

  func kill() async {
    process.signal(SIGKILL)
    await process.waitForExit()
  }

  func log() throws -> String {
    try String(contentsOfFile: directory.file("nghttpd.log"), encoding: .utf8)
  }

  /// Connections on which a request came.
  func connectionsUsed() throws -> Int {
    let requests = try log().split(separator: "\n").filter { $0.contains("recv HEADERS frame") }
    return Set(requests.compactMap { $0.firstMatch(of: /\[id=(\d+)\]/)?.1 }).count
  }
}
