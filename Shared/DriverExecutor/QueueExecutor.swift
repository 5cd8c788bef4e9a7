public import Dispatch

/// Runs an actor on its own serial dispatch queue, so that a C connection and the dispatch sources on its socket share one
/// thread of control.
///
/// A driver's actor returns this from `unownedExecutor`. Event handlers of sources created on `queue` may then enter the
/// actor with `assumeIsolated`. Calls that block stay off the cooperative pool. (`DispatchSerialQueue`, which conforms by
/// itself, does not exist on Linux.)
public final class QueueExecutor: SerialExecutor {
  /// The serial queue on which the actor runs.
  public let queue: DispatchQueue

  /// - Parameter label: Shown by debuggers and profilers, e.g. `belfry.postgres.2`.
  public init(label: String) {
    queue = DispatchQueue(label: label)
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { unowned.runSynchronously(on: executor) }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(complexEquality: self)
  }

  public func isSameExclusiveExecutionContext(other: QueueExecutor) -> Bool {
    other === self
  }

  public func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
