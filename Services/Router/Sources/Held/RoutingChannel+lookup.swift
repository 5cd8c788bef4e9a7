import NotificationModel

extension [any RoutingChannel] {
  /// What routing knows of a channel; nil for one of another version.
  func routing(of channel: Channel) -> (any RoutingChannel)? { first { $0.channel == channel } }
}
