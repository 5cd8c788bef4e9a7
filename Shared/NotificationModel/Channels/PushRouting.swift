extension Channel {
  public static let push = Channel(rawValue: 2)
}

/// Push: to every active device that a provider serves.
struct PushRouting: RoutingChannel {
  var channel: Channel { .push }
  var name: String { "push" }
  var hasQueue: Bool { true }

  func objection(to recipient: Recipient) -> SkipReason? {
    if recipient.devices.isEmpty { return .noActiveDevice }
    return recipient.devices.contains { $0.platform.isServed } ? nil : .noProvider
  }

  func targets(of recipient: Recipient) -> [DeliveryTarget] {
    recipient.devices.compactMap { device in
      guard device.platform.isServed else { return nil }
      return DeliveryTarget(id: device.id.description, address: device.token, platform: device.platform.rawValue)
    }
  }
}
