import ConsoleCommands
import Foundation
import Glibc

/// A file that is there when it is whole, and not before; only its owner may read it.
final class WholeFile {
  private let path: String
  private let partial: String
  private let file: FileHandle

  init(_ path: String) throws(CommandFailure) {
    self.path = path
    // Nobody foresees the name, and what is there already is not followed: a link would lead somewhere else.
    partial = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandFailure("\(partial): cannot be written") }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
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
