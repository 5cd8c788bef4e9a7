import Synchronization

/// A process that may die: what it does outside itself are steps, and it can be made to die before or after any of them.
///
/// Doubles call ``begin()`` before and ``end()`` after each step's effect; after the death both answer false for ever.
package final class Lifetime: Sendable {
  /// Where the process dies.
  package struct Death: Sendable, CustomStringConvertible {
    /// Steps that were begun, this one included.
    package var step: Int
    /// Whether the step has its effect: the caller only never learns of it.
    package var isAfter: Bool

    package init(step: Int, isAfter: Bool) {
      self.step = step
      self.isAfter = isAfter
    }

    package var description: String { "\(isAfter ? "after" : "before") step \(step)" }
  }

  private struct State {
    var begun = 0
    var isAlive = true
    var isDying = false
  }

  private let death: Death?
  private let state = Mutex(State())

  /// - Parameter death: Nil lives for ever.
  package init(until death: Death? = nil) {
    self.death = death
  }

  package var isAlive: Bool { state.withLock(\.isAlive) }

  /// How many steps were begun.
  package var steps: Int { state.withLock(\.begun) }

  /// Whether the step may have its effect.
  package func begin() -> Bool {
    state.withLock { state in
      guard state.isAlive, !state.isDying else { return false }
      state.begun += 1
      guard let death, state.begun == death.step else { return true }
      if death.isAfter { state.isDying = true } else { state.isAlive = false }
      return death.isAfter
    }
  }

  /// Whether the caller lives to see the effect.
  @discardableResult package func end() -> Bool {
    state.withLock { state in
      if state.isDying { state.isAlive = false }
      return state.isAlive
    }
  }
}

extension Lifetime {
  /// Runs one step.
  ///
  /// - Throws: `CancellationError` once the process is dead.
  package func step<Value>(_ effect: () async throws -> Value) async throws -> Value {
    guard begin() else { throw CancellationError() }
    let value = try await effect()
    guard end() else { throw CancellationError() }
    return value
  }
}
