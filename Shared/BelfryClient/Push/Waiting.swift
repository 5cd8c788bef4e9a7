import Dispatch

/// Runs work and blocks this thread until it is done.
///
/// For threads of Apple's frameworks alone, where an object is given that no other thread may have. Never in a task: it would keep a thread
/// of the pool that the work needs.
///
/// - Parameters:
///   - fallback: What it gives if the work ends without a value, which it does not.
///   - started: Gets what cancels the work.
func waiting<Value: Sendable>(
  _ fallback: Value,
  for work: @escaping @Sendable () async -> Value,
  started: (@escaping @Sendable () -> Void) -> Void = { _ in }
) -> Value {
  let (done, result) = (DispatchSemaphore(value: 0), Locked(fallback))
  let task = Task {
    let value = await work()
    result.withLock { $0 = value }
    done.signal()
  }
  started { task.cancel() }
  done.wait()
  return result.withLock { $0 }
}
