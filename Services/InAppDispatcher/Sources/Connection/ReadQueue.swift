import DequeModule
import NIOCore

/// Lets a few database reads of one event loop's connections run at a time: after a restart thousands may want one at once.
final class ReadQueue {
  private static let maximumRunning = 8

  private var waiting: Deque<() -> Void> = []
  private var running = 0

  /// Begins a read when it is its turn; delivers its result on the event loop.
  ///
  /// - Parameter read: Starts the read; nil if it is not wanted any more.
  func run<Value>(
    _ read: @escaping () -> EventLoopFuture<Value>.Isolated?,
    whenDone: @escaping (Result<Value, any Error>) -> Void
  ) {
    waiting.append {
      guard let reading = read() else { return }
      self.running += 1
      reading.whenComplete { result in
        self.running -= 1
        whenDone(result)
        self.start()
      }
    }
    start()
  }

  private func start() {
    while running < Self.maximumRunning, let next = waiting.popFirst() { next() }
  }
}
