/// Time as a ``BelfrySender`` sees it, so that an hour of retries passes at once in a test.
public protocol SenderClock: Sendable {
  /// An instant that never goes back.
  var now: ContinuousClock.Instant { get }

  /// Waits.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(for duration: Duration) async throws
}

/// The machine's own.
public struct SystemSenderClock: SenderClock {
  public init() {}

  public var now: ContinuousClock.Instant { .now }

  public func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }
}
