import Foundation

extension Catalogue {
  /// The built-in catalogue, overridden by the YAML file at `path`; an empty path means the built-in one alone.
  ///
  /// - Throws: ``CatalogueError`` naming the file.
  public init(file path: String) throws(CatalogueError) {
    guard !path.isEmpty else {
      try self.init()
      return
    }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw CatalogueError("cannot read the catalogue file \(path)")
    }
    do {
      try self.init(overrides: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw error.within(path)
    }
  }
}
