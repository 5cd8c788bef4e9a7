import Foundation

/// Plain threads for blocking work: the load must cost little, and must not wait for the cooperative pool.
enum Threads {
  /// Runs the body on `count` threads at once; returns what each gave, when all have ended.
  static func run<Value: Sendable>(
    _ count: Int = 1,
    _ body: @escaping @Sendable (Int) throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
      for index in 0..<count {
        group.addTask {
          try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try body(index) }) }
            thread.name = "bench.\(index)"
            thread.stackSize = 512 * 1_024
            thread.start()
          }
        }
      }
      var values: [Value] = []
      for try await value in group { values.append(value) }
      return values
    }
  }
}
