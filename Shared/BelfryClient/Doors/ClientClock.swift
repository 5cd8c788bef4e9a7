public import Foundation

/// Time, so that an hour passes at once in a test.
public protocol ClientClock: Sendable {
  /// What time it is.
  var now: Date { get }

  /// Returns after the duration.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(for duration: Duration) async throws
}

/// The time of this device.
public struct SystemClock: ClientClock {
  /// There is nothing to set.
  public init() {}

  public var now: Date { Date() }

  public func sleep(for duration: Duration) async throws {
    // `Task.sleep` traps beyond 2^63 nanoseconds.
    try await Task.sleep(for: min(duration, .seconds(1 << 32)))
  }
}

extension Date {
  /// Whether it is later, but not by more than a time that it cannot be: then the clock was set back.
  func isAhead(of now: Date, by seconds: Double) -> Bool { self > now && timeIntervalSince(now) <= seconds + 0.001 }
}

extension Duration {
  /// In seconds, with their fraction.
  var inSeconds: Double { self / .seconds(1) }
}
