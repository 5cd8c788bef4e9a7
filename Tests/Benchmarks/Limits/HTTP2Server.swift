import Foundation
import LocalStack

/// nghttpd, serving one small file over TLS with the simulator's certificate.
struct HTTP2Server: Sendable {
  let port: Int
  private let process: LocalProcess

  static func start(_ stack: BelfryStack) async throws -> HTTP2Server {
    let root = "\(stack.configuration.directory)/nghttpd"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try Data(#"{"name":"projects/belfry/messages/0:1500415314455276%31bd1c9631bd1c96"}"#.utf8)
      .write(to: URL(filePath: "\(root)/send"))
    let port = try FreePort.find()
    let key = "\(stack.simulatorDirectory)/server-key.pem"
    let certificate = "\(stack.simulatorDirectory)/server.pem"
    let process = try LocalProcess.spawn(
      executable: "nghttpd",
      arguments: ["--address=127.0.0.1", "--htdocs=\(root)", "\(port)", key, certificate],
      logFile: "\(stack.configuration.directory)/logs/nghttpd.log"
    )
    try await Patience.wait(for: "nghttpd", within: .seconds(10)) { !FreePort.isFree(port) }
    return HTTP2Server(port: port, process: process)
  }

  var origin: String { "https://localhost:\(port)" }
  var url: String { "\(origin)/send" }

  /// Requests per second of h2load over one connection with 100 streams.
  func h2load(count: Int, body: [UInt8], directory: String) async throws -> Double {
    try await H2Load.run(
      url: "https://127.0.0.1:\(port)/send",
      body: body,
      streams: 100,
      count: count,
      directory: directory
    )
  }

  func stop() async {
    await process.stop()
  }
}
