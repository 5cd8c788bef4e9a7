/// The background work of one signed-in user: it ends with whoever holds this.
final class Lifetime: Sendable {
  private struct State: Sendable {
    var isOver = false
    var next = 0
    var tasks: [Int: Task<Void, Never>?] = [:]
  }

  private let state = Locked(State())

  deinit {
    end()
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  /// Runs work until it is done, cancelled, or the lifetime is over.
  @discardableResult
  func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let number: Int? = state.withLock { state in
      if state.isOver { return nil }
      state.next += 1
      // It may end before it is kept.
      state.tasks[state.next] = .some(nil)
      return state.next
    }
    guard let number else { return Task {} }
    let task = Task { [weak self] in
      await work()
      self?.forget(number)
    }
    let isLate = state.withLock { state in
      if state.tasks.keys.contains(number) { state.tasks[number] = task }
      return state.isOver
    }
    if isLate { task.cancel() }
    return task
  }

  /// Cancels everything; a second call does nothing.
  func end() {
    let tasks = state.withLock { state in
      state.isOver = true
      defer { state.tasks = [:] }
      return state.tasks
    }
    for task in tasks.values { task?.cancel() }
  }

  private func forget(_ number: Int) {
    state.withLock { _ = $0.tasks.removeValue(forKey: number) }
  }
}
