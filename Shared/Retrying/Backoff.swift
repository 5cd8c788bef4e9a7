import ServiceLifecycle

/// Growing, jittered pauses between repeated attempts (full jitter above half of the step).
public struct Backoff: Sendable {
  private let first: Duration
  private let longest: Duration
  private var step: Duration

  public init(first: Duration = .milliseconds(100), longest: Duration = .seconds(5)) {
    self.first = first
    self.longest = longest
    step = first
  }

  /// The next pause: between half of the step and the step; steps double up to the longest.
  public mutating func next() -> Duration {
    let pause = step * Double.random(in: 0.5...1)
    step = min(step * 2, longest)
    return pause
  }

  /// Waits for the next pause.
  ///
  /// - Throws: `CancellationError` as soon as the service is told to stop.
  public mutating func pause() async throws {
    let duration = next()
    try await cancelWhenGracefulShutdown { try await Task.sleep(for: duration) }
    try Task.checkCancellation()
    guard !Task.isShuttingDownGracefully else { throw CancellationError() }
  }
}
