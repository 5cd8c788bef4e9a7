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

  /// Where something lies next that is to wait so long from `now`, and until when it waits if that is no tier's end: it comes back
  /// before, and waits on.
  ///
  /// Up to an eighth later, and a minute at most: what of a message is to wait alike stays together, though it was tried within some
  /// seconds.
  public func place(of wait: Duration, from now: Date) -> (tier: Tier, notBefore: Date?) {
    let wait = min(wait, Self.longestWait)
    let tier = step(of: wait)
    guard tier.delay < wait else { return (tier, nil) }
    let seconds = wait / .seconds(1)
    let grid = min(max(1, (seconds / 8).rounded(.down)), 60)
    return (tier, Date(timeIntervalSince1970: ((now.timeIntervalSince1970 + seconds) / grid).rounded(.up) * grid))
  }

  /// The tier for the `attempt`-th failure (from 1) of a delivery, starting at `first`: a rung higher each time.
  public func tier(afterAttempt attempt: Int, first: Duration) -> Tier {
    let start = tiers.firstIndex { $0.delay >= first } ?? tiers.count - 1
    let climbed = max(1, min(attempt, tiers.count)) - 1
    return tiers[min(start + climbed, tiers.count - 1)]
  }
}
