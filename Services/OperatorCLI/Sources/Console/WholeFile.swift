import Foundation

/// A file that is there when it is whole, and not before; only its owner may read it.
final class WholeFile {
  private let path: String
  private let partial: String
  private let file: FileHandle

  init(_ path: String) throws(CommandFailure) {
    self.path = path
    partial = "\(path).part"
    let isMade = FileManager.default.createFile(
      atPath: partial,
      contents: nil,
      attributes: [.posixPermissions: 0o600]
    )
    guard isMade, let file = FileHandle(forWritingAtPath: partial) else {
      throw CommandFailure("\(partial): cannot be written")
    }
    self.file = file
  }

  func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do {
      try file.write(contentsOf: Data(bytes))
    } catch {
      throw CommandFailure("\(partial): cannot be written")
    }
  }

  /// Gives it its name; what had the name before is gone.
  func finish() throws(CommandFailure) {
    do {
      try file.synchronize()
      try file.close()
    } catch {
      throw CommandFailure("\(partial): cannot be written")
    }
    guard rename(partial, path) == 0 else { throw CommandFailure("\(path): cannot be written") }
  }

  /// Leaves nothing behind.
  func discard() {
    try? file.close()
    try? FileManager.default.removeItem(atPath: partial)
  }
}
