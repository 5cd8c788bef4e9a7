import Foundation
import LocalStack

/// The Python that runs foreign servers.
enum Python {
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  private static let directory = URL(filePath: #filePath).deletingLastPathComponent()

  /// A script beside this file.
  static func script(_ name: String) -> String { directory.appending(path: name).path }

  /// `BELFRY_PYTHON`, else the one `make test` has made in `.belfry/venv`, else the system's. It must have the module.
  static func find(module: String) async throws -> String {
    let root = directory.appending(path: "../../..").standardized
    let own = root.appending(path: ".belfry/venv/bin/python3").path
    let python =
      ProcessInfo.processInfo.environment["BELFRY_PYTHON"]
      ?? (FileManager.default.isExecutableFile(atPath: own) ? own : "python3")
    do {
      try await LocalProcess.run(executable: python, arguments: ["-c", "import \(module)"])
    } catch {
      throw Missing(description: "Python with \(module) is needed: run `make test` (tried \(python)): \(error)")
    }
    return python
  }
}
