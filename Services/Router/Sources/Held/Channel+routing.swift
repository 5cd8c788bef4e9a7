import NotificationModel

extension Channel {
  /// What routing knows of it; nil for a channel of another version.
  var routingChannel: (any RoutingChannel)? { Self.routing.first { $0.channel == self } }
}
