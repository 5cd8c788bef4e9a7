public import Foundation

/// Decides, for one recipient and one notification, what happens on each channel. Pure: the same input, the same answer.
public enum RoutingDecision {
  /// - Parameters:
  ///   - type: What happened.
  ///   - requested: The channels the request allows; nil means all. It narrows preferences, never widens them.
  ///   - recipient: The recipient with preferences, active devices and what is on the screen.
  ///   - entity: What the notification is about. Who looks at it needs no push; the inbox and mails keep it all the same.
  ///   - expiresAt: When the notification loses its meaning.
  public static func decide(
    type: NotificationType,
    requested: Set<Channel>?,
    recipient: Recipient,
    about entity: ViewedEntity? = nil,
    expiresAt: Date?,
    now: Date
  ) -> PerChannel<ChannelDecision> {
    func decide(_ channel: Channel) -> ChannelDecision {
      if let expiresAt, expiresAt <= now { return .skip(.expired) }
      if let requested, !requested.contains(channel) { return .skip(.channelNotRequested) }
      if !recipient.isEnabled { return .skip(.notificationsOff) }
      if !(recipient.preference ?? type.channels)[channel] { return .skip(.preferenceOff) }
      switch channel {
      case .inApp: return .deliver
      case .push:
        if recipient.devices.isEmpty { return .skip(.noActiveDevice) }
        return entity.map(recipient.viewing.contains) == true ? .skip(.viewing) : .deliver
      case .email:
        if recipient.email == nil { return .skip(.noEmailAddress) }
        return recipient.isEmailSuppressed ? .skip(.emailSuppressed) : .deliver
      }
    }
    return PerChannel(inApp: decide(.inApp), push: decide(.push), email: decide(.email))
  }
}
