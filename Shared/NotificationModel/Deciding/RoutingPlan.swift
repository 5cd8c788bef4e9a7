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

/// Why a notification waits on a channel. The codes are stored; they never change meaning.
public struct HoldReason: RawRepresentable, Sendable, Hashable, CaseIterable {
  public let rawValue: Int16

  /// - Parameter rawValue: Above 0.
  public init(rawValue: Int16) {
    self.rawValue = rawValue
  }

  /// The recipient's quiet hours.
  public static let quietHours = HoldReason(rawValue: 1)
  /// The recipient paused notifications.
  public static let paused = HoldReason(rawValue: 2)
  /// It is sent together with others.
  public static let digest = HoldReason(rawValue: 3)
  /// Too many in a short time.
  public static let throttled = HoldReason(rawValue: 4)
  /// The channel is used only if it is still unread by then.
  public static let unread = HoldReason(rawValue: 5)

  /// Its sender set a time.
  public static let sendAt = HoldReason(rawValue: 6)

  /// Names in the delivery log (`belfry_hold_reason` in the schema), by code from 1.
  private static let names = ["quietHours", "paused", "digest", "throttled", "unread", "sendAt"]

  /// Those of this version.
  public static let allCases = names.indices.map { HoldReason(rawValue: Int16($0 + 1)) }

  /// Name in the delivery log; of a reason of another version its code.
  public var name: String {
    let place = Int(rawValue) - 1
    return Self.names.indices.contains(place) ? Self.names[place] : String(rawValue)
  }
}

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
