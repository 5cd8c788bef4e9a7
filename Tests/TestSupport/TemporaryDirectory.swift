import Foundation

/// A directory of one test's own.
public struct TemporaryDirectory: Sendable {
  public let path: String

  /// Removed afterwards, whatever happens.
  public static func with<Value>(_ body: (TemporaryDirectory) async throws -> Value) async throws -> Value {
    let path = FileManager.default.temporaryDirectory.appending(path: "belfry-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    do {
      let value = try await body(TemporaryDirectory(path: path))
      try FileManager.default.removeItem(atPath: path)
      return value
    } catch {
      try FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  public func file(_ name: String) -> String { "\(path)/\(name)" }
}
