public import Foundation

/// The delays after which a delivery can be tried again: one queue per tier, because a message's time to live is only
/// looked at when it reaches the head.
public struct RetryLadder: Sendable {
  /// One delay.
  public struct Tier: Sendable, Equatable {
    public let delay: Duration

    /// The queue in which deliveries of `channel` wait, e.g. `belfry.push.retry.10s`; also its routing key.
    public func queue(of channel: WorkQueue) -> String {
      "\(channel.name).retry.\(label)"
    }

    private var label: String {
      let milliseconds = Int64(delay / .milliseconds(1))
      return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
    }
  }

  /// Tiers by ascending delay; never empty.
  public let tiers: [Tier]

  /// 1 s, 10 s, 1 min, 10 min, 30 min, 2 h, 6 h.
  public static let standard: [Duration] = [
    .seconds(1), .seconds(10), .seconds(60), .seconds(600), .seconds(1_800), .seconds(7_200), .seconds(21_600),
  ]

  /// What a provider may ask to wait at most: notifications of a week ago may not be kept any more.
  public static let longestWait: Duration = .seconds(7 * 86_400)

  /// - Parameter delays: Ascending; the standard ladder if empty.
  public init(delays: [Duration] = standard) {
    tiers = (delays.isEmpty ? Self.standard : delays).sorted().map(Tier.init)
  }

  /// The shortest tier of at least `delay`, or the longest there is.
  public func tier(atLeast delay: Duration) -> Tier {
    tiers.first { $0.delay >= delay } ?? tiers[tiers.count - 1]
  }

  /// Where something lies next that is to wait so long: in the tier that ends with the wait or little later, else in one that ends
  /// before, from which it comes back too early and waits on.
  public func step(of wait: Duration) -> Tier {
    let upper = tier(atLeast: wait)
    let little = max(wait / 4, .seconds(5))
    guard upper.delay > wait + little, let lower = tiers.last(where: { $0.delay <= wait }) else { return upper }
    return lower
  }

  /// When something that waits from `now` may be tried; nil if that is as soon as the longest tier ends.
  ///
  /// Such a wait repeats the longest tier. It ends with a whole second, so that what a provider postponed together stays together.
  public func notBefore(_ wait: Duration, from now: Date) -> Date? {
    let wait = min(wait, Self.longestWait)
    guard wait > tiers[tiers.count - 1].delay else { return nil }
    return Date(timeIntervalSince1970: (now.timeIntervalSince1970 + wait / .seconds(1)).rounded(.up))
  }

  /// The tier for the `attempt`-th failure (from 1) of a delivery, starting at `first`: a rung higher each time.
  public func tier(afterAttempt attempt: Int, first: Duration, retryAfter: Duration? = nil) -> Tier {
    let start = tiers.firstIndex { $0.delay >= first } ?? tiers.count - 1
    let climbed = max(1, min(attempt, tiers.count)) - 1
    let rung = tiers[min(start + climbed, tiers.count - 1)]
    guard let retryAfter, retryAfter > rung.delay else { return rung }
    return tier(atLeast: retryAfter)
  }
}
