import Foundation
import LocalStack

/// Python with the foreign clients of Tests/requirements.txt, which `make test` installs.
enum Python {
  static var environment: [String: String] {
    LocalProcess.inheritedEnvironment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
  }

  /// The interpreter, and a script of this repository.
  static func command(_ script: String) throws -> (python: String, script: String) {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let python =
      ProcessInfo.processInfo.environment["BELFRY_PYTHON"] ?? root.appending(path: ".belfry/venv/bin/python").path
    guard FileManager.default.isExecutableFile(atPath: python) else { throw Missing() }
    return (python, root.appending(path: script).path)
  }

  struct Missing: Error, CustomStringConvertible {
    var description: String { "the Python clients are not installed: run the tests with `make test`" }
  }
}
