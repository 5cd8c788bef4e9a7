extension Channel {
  public static let push = Channel(rawValue: 2)
}

/// Push: to every active device, unless its user has on the screen what it is about.
struct PushRouting: RoutingChannel {
  let channel = Channel.push
  let name = "push"
  let hasQueue = true

  func objection(to recipient: Recipient, about entity: ViewedEntity?) -> SkipReason? {
    if recipient.devices.isEmpty { return .noActiveDevice }
    return entity.map(recipient.viewing.contains) == true ? .viewing : nil
  }

  func targets(of recipient: Recipient) -> [DeliveryTarget] {
    recipient.devices.map {
      DeliveryTarget(id: $0.id.description, address: $0.token, platform: $0.platform.rawValue)
    }
  }
}
