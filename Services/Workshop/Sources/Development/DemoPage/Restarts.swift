import LocalStack
import Synchronization

/// How often each process was started again.
final class Restarts: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  func note(_ event: StackEvent) {
    guard case .recovered(let process) = event else { return }
    counts.withLock { $0[process.name, default: 0] += 1 }
  }

  subscript(_ name: String) -> Int { counts.withLock { $0[name] ?? 0 } }
}
