public import Foundation

/// What is done with one notification, keyed by channel: a channel that is not in it has no part in it.
public typealias RoutingPlan = PerChannel<ChannelDecision>

/// What is done with one notification on one channel.
public enum ChannelDecision: Sendable, Equatable {
  case deliver
  /// It waits until then, and is decided afresh.
  case hold(until: Date, HoldReason)
  case skip(SkipReason)
  /// In-app alone: it was delivered, and has left the inbox since. What is there still is ``deliver``.
  case leftInbox(InboxState)

  /// As stored: 0 is deliver, a positive code the reason for leaving the channel out, or where it went from the inbox, a
  /// negative one the reason for waiting.
  public var code: Int16 {
    switch self {
    case .deliver: 0
    case .hold(_, let reason): -reason.rawValue
    case .skip(let reason): reason.rawValue
    case .leftInbox(let state): state.rawValue
    }
  }

  /// Until when it waits; nil if it does not.
  public var heldUntil: Date? {
    if case .hold(let until, _) = self { until } else { nil }
  }

  /// What is stored, reasons of other versions included.
  public init(code: Int16, until: Date?, on channel: Channel) {
    if code == 0 {
      self = .deliver
    } else if channel == .inApp, let state = InboxState(rawValue: code) {
      self = .leftInbox(state)
    } else if code > 0 {
      self = .skip(SkipReason(rawValue: code))
    } else {
      self = .hold(until: until ?? .distantPast, HoldReason(rawValue: code == .min ? .max : -code))
    }
  }
}
