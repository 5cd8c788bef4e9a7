public import Foundation

/// What is done with one notification, keyed by channel: a channel that is not in it has no part in it.
public typealias RoutingPlan = PerChannel<ChannelDecision>

/// What is done with one notification on one channel.
public enum ChannelDecision: Sendable, Equatable {
  case deliver
  /// It waits until then, and is decided afresh.
  case hold(until: Date, HoldReason)
  case skip(SkipReason)

  /// As stored: 0 is deliver, a positive code the reason for leaving the channel out, a negative one that for waiting.
  public var code: Int16 {
    switch self {
    case .deliver: 0
    case .hold(_, let reason): -reason.rawValue
    case .skip(let reason): reason.rawValue
    }
  }

  /// Until when it waits; nil if it does not.
  public var heldUntil: Date? {
    if case .hold(let until, _) = self { until } else { nil }
  }

  /// What is stored, reasons of other versions included.
  public init(code: Int16, until: Date?) {
    if code == 0 {
      self = .deliver
    } else if code > 0 {
      self = .skip(SkipReason(rawValue: code))
    } else {
      self = .hold(until: until ?? .distantPast, HoldReason(rawValue: code == .min ? .max : -code))
    }
  }
}
