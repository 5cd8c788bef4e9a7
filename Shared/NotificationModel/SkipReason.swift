/// Why a channel was not used for a notification. The codes are stored; they never change meaning.
public enum SkipReason: Int16, Sendable, CaseIterable {
  /// The request named other channels.
  case channelNotRequested = 1
  /// The recipient switched this type off on this channel, or the catalogue's default is off.
  case preferenceOff = 2
  /// The recipient's master switch is off.
  case notificationsOff = 3
  /// No active device is registered.
  case noActiveDevice = 4
  /// The profile has no email address.
  case noEmailAddress = 5
  /// The address bounced or unsubscribed.
  case emailSuppressed = 6
  /// The notification expired before it was routed.
  case expired = 7
  /// The recipient has on the screen what the notification is about.
  case viewing = 8

  /// Name in the delivery log.
  public var name: String { String(describing: self) }
}

/// What is done with one notification on one channel.
public enum ChannelDecision: Sendable, Equatable {
  case deliver
  case skip(SkipReason)

  /// As stored: 0 is deliver, anything else the reason's code.
  public var code: Int16 {
    switch self {
    case .deliver: 0
    case .skip(let reason): reason.rawValue
    }
  }
}
