import NotificationModel

extension Recipient {
  /// Whether a type would be sent on some channel, as far as that is the recipient's choice.
  func wants(_ type: NotificationType) -> Bool {
    isEnabled
      && Channel.routing.contains { routing in
        let channel = routing.channel
        return typeChoices[channel] ?? categoryChoices[channel] ?? type.channels[channel] ?? false
      }
  }
}
