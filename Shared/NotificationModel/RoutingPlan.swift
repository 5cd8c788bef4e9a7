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

/// Why a channel was not used for a notification. The codes are stored; they never change meaning.
public struct SkipReason: RawRepresentable, Sendable, Hashable, CaseIterable {
  public let rawValue: Int16

  /// - Parameter rawValue: Above 0.
  public init(rawValue: Int16) {
    self.rawValue = rawValue
  }

  /// The request named other channels.
  public static let channelNotRequested = SkipReason(rawValue: 1)
  /// The recipient switched this type off on this channel, or the catalogue's default is off.
  public static let preferenceOff = SkipReason(rawValue: 2)
  /// The recipient's master switch is off.
  public static let notificationsOff = SkipReason(rawValue: 3)
  /// No active device is registered.
  public static let noActiveDevice = SkipReason(rawValue: 4)
  /// The profile has no email address.
  public static let noEmailAddress = SkipReason(rawValue: 5)
  /// The address bounced or unsubscribed.
  public static let emailSuppressed = SkipReason(rawValue: 6)
  /// The notification expired before it was routed.
  public static let expired = SkipReason(rawValue: 7)
  /// The recipient has on the screen what the notification is about.
  public static let viewing = SkipReason(rawValue: 8)

  /// Names in the delivery log (`belfry_skip_reason` in the schema), by code from 1.
  private static let names = [
    "channelNotRequested", "preferenceOff", "notificationsOff", "noActiveDevice", "noEmailAddress", "emailSuppressed",
    "expired", "viewing",
  ]

  /// Those of this version.
  public static let allCases = names.indices.map { SkipReason(rawValue: Int16($0 + 1)) }

  /// Name in the delivery log; of a reason of another version its code.
  public var name: String {
    let place = Int(rawValue) - 1
    return Self.names.indices.contains(place) ? Self.names[place] : String(rawValue)
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
  /// It is told together with others.
  public static let digest = HoldReason(rawValue: 3)
  /// Too many in a short time.
  public static let throttled = HoldReason(rawValue: 4)
  /// The channel is used only if it is still unread by then.
  public static let unread = HoldReason(rawValue: 5)

  /// Names in the delivery log (`belfry_hold_reason` in the schema), by code from 1.
  private static let names = ["quietHours", "paused", "digest", "throttled", "unread"]

  /// Those of this version.
  public static let allCases = names.indices.map { HoldReason(rawValue: Int16($0 + 1)) }

  /// Name in the delivery log; of a reason of another version its code.
  public var name: String {
    let place = Int(rawValue) - 1
    return Self.names.indices.contains(place) ? Self.names[place] : String(rawValue)
  }
}
