import Foundation
import LocalStack

/// The Python that runs foreign servers.
enum Python {
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// `Tests/TransportTests/Support/smtp_server.py`.
  static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "smtp_server.py").path

  /// `BELFRY_PYTHON`, else the one `make deps` has made in `.belfry/venv`, else the system's. It must have aiosmtpd.
  static func find() async throws -> String {
    let root = URL(filePath: script).appending(path: "../../../..").standardized
    let own = root.appending(path: ".belfry/venv/bin/python3").path
    let python =
      ProcessInfo.processInfo.environment["BELFRY_PYTHON"]
      ?? (FileManager.default.isExecutableFile(atPath: own) ? own : "python3")
    do {
      try await LocalProcess.run(executable: python, arguments: ["-c", "import aiosmtpd"])
    } catch {
      throw Missing(description: "Python with aiosmtpd is needed: run `make deps` (tried \(python)): \(error)")
    }
    return python
  }
}
