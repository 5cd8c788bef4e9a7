import Foundation

/// How an operator's file is read, wherever it comes from: what one command takes, all take.
extension CatalogueText {
  /// The most bytes that a file may have.
  public static let maximumBytes = 1_024 * 1_024

  /// What is said of a file that has more.
  public static let tooLarge = CatalogueError("has more than \(maximumBytes) bytes; a catalogue may not have more")

  /// A file's bytes, as they are sent and stored.
  ///
  /// - Throws: ``CatalogueError`` for what no gateway takes as a catalogue's text.
  public init(bytes: [UInt8]) throws(CatalogueError) {
    guard bytes.count <= Self.maximumBytes else { throw Self.tooLarge }
    guard let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
      throw CatalogueError("is no text in UTF-8 without U+0000")
    }
    self.init(yaml: text)
  }

  /// The file of that name.
  ///
  /// - Throws: ``CatalogueError`` for a file that cannot be read, and as ``init(bytes:)``.
  public init(file path: String) throws(CatalogueError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CatalogueError("there is no such file")
    }
    guard !isFolder.boolValue, let file = FileHandle(forReadingAtPath: path) else {
      throw CatalogueError("cannot be read")
    }
    defer { try? file.close() }
    let bytes: [UInt8]
    do {
      bytes = Array(try file.read(upToCount: Self.maximumBytes + 1) ?? Data())
    } catch {
      throw CatalogueError("cannot be read")
    }
    try self.init(bytes: bytes)
  }
}
