public import Foundation

/// Decides, for one recipient and one notification, what happens on each channel. Pure: the same input, the same answer.
public enum RoutingDecision {
  /// - Parameters:
  ///   - type: What happened.
  ///   - requested: The channels the request allows; nil means all. It narrows preferences, never widens them.
  ///   - recipient: The recipient with preferences, active devices and what is on the screen.
  ///   - entity: What the notification is about. Who looks at it needs no push; the inbox and mails keep it all the same.
  ///   - expiresAt: When the notification loses its meaning.
  ///   - channels: The channels there are, by ascending code.
  public static func decide(
    type: NotificationType,
    requested: Set<Channel>?,
    recipient: Recipient,
    about entity: ViewedEntity? = nil,
    expiresAt: Date?,
    now: Date,
    channels: [any RoutingChannel] = Channel.routing
  ) -> RoutingPlan {
    let isExpired = expiresAt.map { $0 <= now } ?? false
    return RoutingPlan(channels) { routing in
      let channel = routing.channel
      if isExpired { return .skip(.expired) }
      if let requested, !requested.contains(channel) { return .skip(.channelNotRequested) }
      if !recipient.isEnabled { return .skip(.notificationsOff) }
      guard recipient.preference?[channel] ?? type.channels[channel] ?? false else { return .skip(.preferenceOff) }
      return routing.objection(to: recipient, about: entity).map(ChannelDecision.skip) ?? .deliver
    }
  }
}
