/// What rules must know of a channel, read once for each decision.
struct ChannelTraits {
  let routing: any RoutingChannel
  let channel: Channel
  let attention: Attention

  init(_ routing: any RoutingChannel) {
    self.routing = routing
    channel = routing.channel
    attention = routing.attention
  }
}
