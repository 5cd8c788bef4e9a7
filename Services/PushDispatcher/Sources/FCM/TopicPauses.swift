import Synchronization

/// Until when nothing is sent to topics and conditions whose quota is used up, by their names.
final class TopicPauses: Sendable {
  /// Beyond this the pause that ends first is forgotten: FCM says again what it has to say.
  static let maximumCount = 1_000

  private let ends = Mutex<[String: ContinuousClock.Instant]>([:])

  /// Nothing is sent to `topic` for `duration` from now, or longer if that was said before.
  func extend(_ topic: String, by duration: Duration) {
    let now = ContinuousClock.now
    ends.withLock { ends in
      if ends[topic] == nil, ends.count >= Self.maximumCount {
        ends = ends.filter { $0.value > now }
        if ends.count >= Self.maximumCount, let first = ends.min(by: { $0.value < $1.value }) { ends[first.key] = nil }
      }
      ends[topic] = max(ends[topic] ?? now, now + duration)
    }
  }

  /// How long the pause of `topic` lasts from now; nil if there is none.
  func remaining(_ topic: String) -> Duration? {
    ends.withLock { ends in
      guard let end = ends[topic] else { return nil }
      let remaining = end - .now
      if remaining <= .zero {
        ends[topic] = nil
        return nil
      }
      return remaining
    }
  }
}
