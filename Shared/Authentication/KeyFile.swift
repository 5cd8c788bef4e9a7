import Foundation

/// Notices when a key file changes, looking at most once a second.
///
/// The file is looked at where symbolic links lead, since a mounted secret is rotated by turning a link in its path. The time
/// of its last change of any kind counts, not only of its contents: a file may become readable after it was written.
struct KeyFile: Sendable {
  private struct Stamp: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let changed: Duration
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

  /// Answers true once for each change; a file that is missing for a moment, as while it is replaced, has not changed yet.
  mutating func noticeChange(at now: Date) -> Bool {
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
    var status = stat()
    guard stat(path, &status) == 0 else { throw .invalidConfiguration("the key set \(path) cannot be read") }
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    return Stamp(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(status.st_ino),
      size: Int64(status.st_size),
      changed: .seconds(Int64(changed.tv_sec)) + .nanoseconds(Int64(changed.tv_nsec))
    )
  }
}
