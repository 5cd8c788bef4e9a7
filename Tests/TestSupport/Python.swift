import Foundation
import LocalStack

/// Python with the foreign clients and servers of Tests/requirements.txt, which `make test` installs.
public enum Python {
  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  public static var environment: [String: String] {
    LocalProcess.inheritedEnvironment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A script of this repository, by its path in it.
  public static func script(_ path: String) -> String { root.appending(path: path).path }

  /// The interpreter: `BELFRY_PYTHON`, or the one that `make test` has made in `.belfry/venv`.
  public static func interpreter() throws(Missing) -> String {
    let python =
      ProcessInfo.processInfo.environment["BELFRY_PYTHON"] ?? root.appending(path: ".belfry/venv/bin/python").path
    guard FileManager.default.isExecutableFile(atPath: python) else {
      throw Missing(description: "Python with Tests/requirements.txt is not installed: run the tests with `make test`")
    }
    return python
  }
}
