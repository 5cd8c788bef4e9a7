extension Channel {
  public static let push = Channel(rawValue: 2)
}

/// Push: to every active device.
struct PushRouting: RoutingChannel {
  var channel: Channel { .push }
  var name: String { "push" }
  var hasQueue: Bool { true }

  func objection(to recipient: Recipient) -> SkipReason? {
    recipient.devices.isEmpty ? .noActiveDevice : nil
  }

  func targets(of recipient: Recipient) -> [DeliveryTarget] {
    recipient.devices.map {
      DeliveryTarget(id: $0.id.description, address: $0.token, platform: $0.platform.rawValue)
    }
  }
}
