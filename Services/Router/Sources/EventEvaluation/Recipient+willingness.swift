import NotificationModel

extension Recipient {
  /// Whether a type would be sent on some of the channels, as far as that is the recipient's choice.
  func wants(_ type: NotificationType, among channels: [any RoutingChannel]) -> Bool {
    isEnabled
      && channels.contains { routing in
        let channel = routing.channel
        return typeChoices[channel] ?? categoryChoices[channel] ?? type.channels[channel] ?? false
      }
  }
}
