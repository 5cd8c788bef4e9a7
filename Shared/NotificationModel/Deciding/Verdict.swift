public import Foundation

/// What one rule says of one notification on one channel.
public enum Verdict: Sendable, Equatable {
  /// The next rule is asked; after the last one it is delivered.
  case pass
  case skip(SkipReason)
  /// - Parameter until: Later than the moment that was asked about.
  case hold(until: Date, HoldReason)

  /// What follows from it if no rule before objected and none after is asked.
  public var decision: ChannelDecision {
    switch self {
    case .pass: .deliver
    case .skip(let reason): .skip(reason)
    case .hold(let until, let reason): .hold(until: until, reason)
    }
  }
}
