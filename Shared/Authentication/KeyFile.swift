import Foundation

/// Notices when a key file changes, looking at most once a second.
///
/// The file is looked at where symbolic links lead, since a mounted secret is rotated by turning a link in its path. The time
/// of its last change of any kind counts, not only of its contents: a file may become readable after it was written.
///
/// A change is noticed again at every look until its version has been read: what keeps a process from reading, such as too
/// many open files, need not touch the file when it passes.
struct KeyFile: Sendable {
  fileprivate struct Stamp: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let changed: Duration
  }

  /// The file as one look found it; later looks have higher numbers.
  struct Version: Sendable {
    fileprivate let stamp: Stamp
    fileprivate let number: Int
  }

  private let path: String
  private var known: Version
  private var looks = 0
  private var lookedAt: Date

  /// - Throws: ``AuthenticationError/invalidConfiguration(_:)`` when the file does not exist.
  init(path: String, now: Date) throws(AuthenticationError) {
    self.path = path
    lookedAt = now
    known = Version(stamp: try Self.stamp(path: path), number: 0)
  }

  static func contents(path: String) throws(AuthenticationError) -> Data {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var contents = Data()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw unreadable(path, errno) }
      guard count > 0 else { return contents }
      contents.append(contentsOf: buffer[..<count])
    }
  }

  /// The version to be read and then handed to ``accept(_:)``; nil while the one known is the newest.
  ///
  /// A file that is missing for a moment, as while it is replaced, has not changed yet.
  mutating func change(at now: Date) -> Version? {
    guard abs(now.timeIntervalSince(lookedAt)) >= 1 else { return nil }
    lookedAt = now
    looks += 1
    do {
      let stamp = try Self.stamp(path: path)
      return stamp == known.stamp ? nil : Version(stamp: stamp, number: looks)
    } catch {
      return nil
    }
  }

  /// Whether nothing newer than this version has been read: readers may overlap, and end in any order.
  func isNews(_ version: Version) -> Bool { version.number > known.number }

  /// Takes note that this version was read, whatever is in it.
  ///
  /// - Returns: False for one that must not be used, since a newer one has been read.
  mutating func accept(_ version: Version) -> Bool {
    guard isNews(version) else { return false }
    known = version
    return true
  }

  private static func stamp(path: String) throws(AuthenticationError) -> Stamp {
    var status = stat()
    guard stat(path, &status) == 0 else { throw unreadable(path, errno) }
    let changed = status.st_ctim
    return Stamp(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(status.st_ino),
      size: Int64(status.st_size),
      changed: .seconds(Int64(changed.tv_sec)) + .nanoseconds(Int64(changed.tv_nsec))
    )
  }

  private static func unreadable(_ path: String, _ number: CInt) -> AuthenticationError {
    .invalidConfiguration("the key set \(path) cannot be read: \(String(cString: strerror(number)))")
  }
}
