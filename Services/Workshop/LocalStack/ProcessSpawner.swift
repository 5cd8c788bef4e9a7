import Foundation
import Synchronization

/// The one thread of this process that starts children, and never ends before the process does.
///
/// The kernel sends a child its parent-death signal when the *thread* that started it ends. Threads of Dispatch and of Swift
/// concurrency come and go, so children are started here.
final class ProcessSpawner: Sendable {
  static let shared = ProcessSpawner()

  private let pending = Mutex<[@Sendable () -> Void]>([])
  private let signal = DispatchSemaphore(value: 0)

  private init() {
    let thread = Thread { [self] in
      while true {
        signal.wait()
        let next = pending.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        next?()
      }
    }
    thread.name = "belfry.spawner"
    thread.start()
  }

  /// Runs the body on the spawner's thread and waits for it: microseconds, for starting a process is all that is done there.
  func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    let done = DispatchSemaphore(value: 0)
    let slot = Slot<Result>()
    pending.withLock {
      $0.append {
        slot.result.withLock { $0 = body() }
        done.signal()
      }
    }
    signal.signal()
    done.wait()
    guard let result = slot.result.withLock({ $0 }) else { preconditionFailure("the spawner signals after storing") }
    return result
  }

  private final class Slot<Result: Sendable>: Sendable {
    let result = Mutex<Result?>(nil)
  }
}
