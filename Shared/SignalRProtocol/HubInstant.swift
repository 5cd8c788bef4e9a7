/// A moment on whatever monotonic clock the caller has, in nanoseconds.
public struct HubInstant: Sendable, Comparable {
  public let nanoseconds: UInt64

  public init(nanoseconds: UInt64) {
    self.nanoseconds = nanoseconds
  }

  public static func < (left: HubInstant, right: HubInstant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The time from an earlier moment; zero from a later one.
  func elapsed(since earlier: HubInstant) -> Duration {
    self < earlier ? .zero : .nanoseconds(Int64(clamping: nanoseconds - earlier.nanoseconds))
  }
}
