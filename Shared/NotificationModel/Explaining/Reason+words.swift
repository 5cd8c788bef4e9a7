import Foundation
import WallClock

extension SkipReason {
  /// Why, in words that can end a sentence.
  public var words: String {
    switch self {
    case .channelNotRequested: "the request is for other channels"
    case .preferenceOff: "it is off on this channel, by the user's choice or by default"
    case .notificationsOff: "the user switched notifications off"
    case .noActiveDevice: "no active device is registered"
    case .noEmailAddress: "the profile has no email address"
    case .emailSuppressed: "the email address is suppressed: it bounced, its user complained, or an operator wanted it"
    case .expired: "it had expired"
    case .viewing: "the user had it on the screen"
    case .muted: "the user muted what it is about"
    case .quietHours: "it came within quiet hours, and its type is dropped then"
    case .throttled: "too many of its type in a short time"
    case .read: "the user had read it before"
    case .deleted: "the user had deleted it before"
    case .cancelled: "the request was withdrawn"
    case .noProvider: "no provider is set up for the user's devices"
    case .paused: "it came within a pause, and its type is dropped then"
    case .composed: "it was delivered together with others"
    case .textTooLong: "its texts are too long once they are filled in"
    default: "reason \(name)"
    }
  }
}

extension AddressSuppression {
  /// Why, and since when, in words that can end a sentence.
  func words(in zone: Zone, seenFrom now: Date) -> String {
    let cause =
      switch reason {
      case .hardBounce: "the email address bounced"
      case .manual: "an operator wants no mail to the address"
      case .complaint: "the user called a mail spam, and may unsubscribe from these"
      default: "the email address is suppressed, reason \(reason.name)"
      }
    return cause + (since.map { " (suppressed since \(spoken($0, in: zone, seenFrom: now)))" } ?? "")
  }
}

extension InboxState {
  /// What became of it, in words that can end a sentence.
  public var words: String {
    switch self {
    case .inbox: "it is in the inbox"
    case .deleted: "the user deleted it"
    case .archived: "the user archived it"
    case .snoozed: "the user snoozed it"
    case .withdrawn: "the request was withdrawn after it was delivered"
    }
  }
}

extension HoldReason {
  /// What it waits for, in words that can end a sentence.
  public var words: String {
    switch self {
    case .quietHours: "the user's quiet hours"
    case .paused: "the user paused notifications"
    case .digest: "delivered together with others"
    case .throttled: "too many of its type in a short time"
    case .unread: "only if it is still unread by then"
    case .sendAt: "the sender set a time"
    default: "reason \(name)"
    }
  }
}
