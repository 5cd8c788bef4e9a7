import Foundation
import Synchronization

/// Removes temporary folders when the test process ends.
enum Cleanup {
  private static let paths = Mutex<[String]>([])
  private static let registered: Void = {
    atexit {
      for path in Cleanup.paths.withLock({ $0 }) { Cleanup.removeNow(path) }
    }
  }()

  static func remove(_ path: String) {
    _ = registered
    paths.withLock { $0.append(path) }
  }

  /// A file that is gone already is as good as removed.
  static func removeNow(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }
}
