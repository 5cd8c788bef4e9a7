import Foundation

/// File operations of the local stack, with its errors.
enum Files {
  /// Makes the directory, parents too, unless it is there. With an owner, it becomes that user's alone.
  static func makeDirectory(_ path: String, owner: String? = nil) throws(LocalStackError) {
    var attributes: [FileAttributeKey: Any] = [:]
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      if let owner {
        attributes = [.ownerAccountName: owner, .groupOwnerAccountName: owner, .posixPermissions: 0o700]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
      }
    } catch {
      throw LocalStackError(.fileSystem, "The directory \(path) could not be made: \(error.localizedDescription)")
    }
  }

  /// Copies a directory with all that is in it, in place of what was there.
  static func copyDirectory(_ path: String, to copy: String) throws(LocalStackError) {
    do {
      if FileManager.default.fileExists(atPath: copy) { try FileManager.default.removeItem(atPath: copy) }
      try FileManager.default.copyItem(atPath: path, toPath: copy)
    } catch {
      throw LocalStackError(.fileSystem, "The directory \(path) could not be copied: \(error.localizedDescription)")
    }
  }

  /// Writes the file so that only the owner can read it.
  static func write(_ bytes: [UInt8], to path: String, owner: String? = nil) throws(LocalStackError) {
    do {
      try? FileManager.default.removeItem(atPath: path)
      guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
        throw CocoaError(.fileWriteUnknown)
      }
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.write(contentsOf: Data(bytes))
      try file.close()
      if let owner {
        try FileManager.default.setAttributes(
          [.ownerAccountName: owner, .groupOwnerAccountName: owner],
          ofItemAtPath: path
        )
      }
    } catch {
      throw LocalStackError(.fileSystem, "The file \(path) could not be written: \(error.localizedDescription)")
    }
  }

  static func write(_ text: String, to path: String, owner: String? = nil) throws(LocalStackError) {
    try write(Array(text.utf8), to: path, owner: owner)
  }

  /// Whether nothing is in the directory.
  static func isEmpty(_ directory: String) -> Bool {
    FileManager.default.enumerator(atPath: directory)?.nextObject() == nil
  }

  /// Moves a file in one step, in place of what was there.
  static func move(_ path: String, to target: String) throws(LocalStackError) {
    guard rename(path, target) == 0 else {
      throw LocalStackError(.fileSystem, "\(path) could not be moved to \(target): \(String(cString: strerror(errno)))")
    }
  }

  /// Makes a symbolic link, in place of what has its name.
  static func link(_ path: String, to target: String) throws(LocalStackError) {
    do {
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    } catch {
      throw LocalStackError(.fileSystem, "The link \(path) could not be made: \(error.localizedDescription)")
    }
  }

  /// The file's text, or `nil` if there is no such file.
  static func read(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The secret in the file; made of random bytes at the first call.
  static func secret(_ path: String, owner: String? = nil) throws(LocalStackError) -> String {
    if let text = read(path)?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty { return text }
    var generator = SystemRandomNumberGenerator()
    let secret = (0..<32).map { _ in
      let byte = UInt8.random(in: .min ... .max, using: &generator)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    try write(secret + "\n", to: path, owner: owner)
    return secret
  }

  /// The last lines of a log.
  static func tail(_ path: String, lines: Int = 20) -> String {
    (read(path) ?? "").split(separator: "\n").suffix(lines).joined(separator: "\n")
  }

  /// The paths that match the shell pattern.
  static func glob(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard Glibc.glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}
