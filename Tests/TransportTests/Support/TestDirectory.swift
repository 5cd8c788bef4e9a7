import Foundation
import LocalStack

/// A directory of one test's own, with a self-signed certificate when asked for.
struct TestDirectory: Sendable {
  let path: String

  var certificate: String { file("certificate.pem") }
  var key: String { file("key.pem") }

  /// Removed afterwards, whatever happens.
  static func with<Value>(_ body: (TestDirectory) async throws -> Value) async throws -> Value {
    let path = NSTemporaryDirectory() + "/transport-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let directory = TestDirectory(path: path)
    do {
      let value = try await body(directory)
      try FileManager.default.removeItem(atPath: path)
      return value
    } catch {
      try FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  func makeCertificate(named prefix: String = "", for names: String = "DNS:localhost,IP:127.0.0.1") async throws {
    try await LocalProcess.run(
      executable: "openssl",
      arguments: [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=\(names)",
        "-keyout", file("\(prefix)key.pem"), "-out", file("\(prefix)certificate.pem"),
      ]
    )
  }
}
