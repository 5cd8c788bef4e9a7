import Foundation

/// Notices when a key file changes, looking at most once a second.
struct KeyFile: Sendable {
  private struct Stamp: Equatable {
    let modified: Date?
    let size: UInt64?
    let inode: UInt64?
  }

  private let path: String
  private var stamp: Stamp
  private var lookedAt: Date

  /// - Throws: ``AuthenticationError/invalidConfiguration(_:)`` when the file does not exist.
  init(path: String, now: Date) throws(AuthenticationError) {
    self.path = path
    lookedAt = now
    stamp = try Self.stamp(path: path)
  }

  static func contents(path: String) throws(AuthenticationError) -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .invalidConfiguration("the key set \(path) cannot be read")
    }
  }

  /// True once for each change; a file that is missing for a moment, as while it is replaced, has not changed yet.
  mutating func hasChanged(now: Date) -> Bool {
    guard abs(now.timeIntervalSince(lookedAt)) >= 1 else { return false }
    lookedAt = now
    do {
      let current = try Self.stamp(path: path)
      guard current != stamp else { return false }
      stamp = current
      return true
    } catch {
      return false
    }
  }

  private static func stamp(path: String) throws(AuthenticationError) -> Stamp {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return Stamp(
        modified: attributes[.modificationDate] as? Date,
        size: (attributes[.size] as? NSNumber)?.uint64Value,
        inode: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
      )
    } catch {
      throw .invalidConfiguration("the key set \(path) cannot be read")
    }
  }
}
