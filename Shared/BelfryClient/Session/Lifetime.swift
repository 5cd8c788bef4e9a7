/// The background work of one signed-in user: it ends with whoever holds this.
final class Lifetime: Sendable {
  private struct State: Sendable {
    var isOver = false
    var next = 0
    /// What cancels each; nil of one that may end before it is kept.
    var tasks: [Int: (@Sendable () -> Void)?] = [:]
  }

  private let state = Locked(State())

  deinit {
    end()
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  /// Runs work until it is done, cancelled, or the lifetime is over.
  @discardableResult
  func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    guard let number = next() else { return Task {} }
    let task = Task { [weak self] in
      await work()
      self?.forget(number)
    }
    keep(number) { task.cancel() }
    return task
  }

  /// Cancels a task when the lifetime is over, at once if it is.
  func cancelsWithIt<Value: Sendable>(_ task: Task<Value, any Error>) {
    guard let number = next() else { return task.cancel() }
    keep(number) { task.cancel() }
    Task { [weak self] in
      _ = await task.result
      self?.forget(number)
    }
  }

  /// A number for a task; nil if it is too late for one.
  private func next() -> Int? {
    state.withLock { state in
      if state.isOver { return nil }
      state.next += 1
      state.tasks[state.next] = .some(nil)
      return state.next
    }
  }

  private func keep(_ number: Int, _ cancel: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if state.tasks.keys.contains(number) { state.tasks[number] = cancel }
      return state.isOver
    }
    if isLate { cancel() }
  }

  /// Cancels everything; a second call does nothing.
  func end() {
    let tasks = state.withLock { state in
      state.isOver = true
      defer { state.tasks = [:] }
      return state.tasks
    }
    for cancel in tasks.values { cancel?() }
  }

  private func forget(_ number: Int) {
    state.withLock { _ = $0.tasks.removeValue(forKey: number) }
  }
}
