public import BelfryClient
public import Foundation

/// Time for previews: short waits are over at once, as if they had passed; longer ones, such as the one in which a deletion can be
/// undone, take their time.
public final class ImmediateClock: ClientClock {
  private let limit: Duration
  /// How much was left out, in seconds.
  private let skipped = Locked(0.0)

  /// - Parameter limit: The longest wait that is left out.
  public init(upTo limit: Duration = .seconds(1)) {
    self.limit = limit
  }

  public var now: Date { Date().addingTimeInterval(skipped.withLock { $0 }) }

  public func sleep(for duration: Duration) async throws {
    guard duration <= limit else { return try await Task.sleep(for: duration) }
    try Task.checkCancellation()
    skipped.withLock { $0 += max(0, duration / .seconds(1)) }
    await Task.yield()
  }
}
