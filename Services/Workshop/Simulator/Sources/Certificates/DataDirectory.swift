import Foundation
import Settings

/// The simulator's folder: what it made at its first start is used again at the next.
struct DataDirectory: Sendable {
  let path: String

  /// Makes the folder if it is missing.
  init(_ path: String) throws(StartError) {
    self.path = path
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw StartError("BELFRY_SIMULATOR_DATA_DIR: cannot make \(path): \(error.localizedDescription)")
    }
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Text of a file; nil if there is none.
  func read(_ name: String) throws(StartError) -> String? {
    guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
    do {
      return try String(contentsOfFile: path(name), encoding: .utf8)
    } catch {
      throw StartError("cannot read \(path(name)): \(error.localizedDescription)")
    }
  }

  /// Replaces a file in one step, so that nobody reads half of it.
  ///
  /// - Parameter isPrivate: Only the owner may read it.
  func write(_ name: String, _ text: String, isPrivate: Bool = false) throws(StartError) {
    let temporary = path(".\(name).\(ProcessInfo.processInfo.processIdentifier)")
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: isPrivate ? 0o600 : 0o644]
    guard
      FileManager.default.createFile(atPath: temporary, contents: Data(text.utf8), attributes: attributes),
      rename(temporary, path(name)) == 0
    else { throw StartError("cannot write \(path(name))") }
  }
}
