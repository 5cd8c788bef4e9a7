import Foundation

/// A value behind a lock, for what cannot wait for an actor: callbacks of `URLSession`, and streams that end with whoever reads them.
///
/// `Mutex` needs macOS 15, and `OSAllocatedUnfairLock` is Apple's alone. `nonisolated(unsafe)` is right here, and in this file only: the
/// value is private, and each access holds the lock.
package final class Locked<Value: Sendable>: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var value: Value

  package init(_ value: Value) {
    self.value = value
  }

  /// Runs `body` alone. It must not call what locks the same value.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
