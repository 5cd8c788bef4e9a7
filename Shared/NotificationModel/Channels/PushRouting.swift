extension Channel {
  public static let push = Channel(rawValue: 2)
}

/// Push: to every active device that a provider of the deployment serves.
struct PushRouting: RoutingChannel {
  var deployed = PushProviders.standard

  var channel: Channel { .push }
  var name: String { "push" }
  var hasQueue: Bool { true }
  var providers: PushProviders? { deployed }

  func objection(to recipient: Recipient) -> SkipReason? {
    if recipient.devices.isEmpty { return .noActiveDevice }
    return recipient.devices.contains { deployed.serve($0.platform) } ? nil : .noProvider
  }

  func targets(of recipient: Recipient) -> [DeliveryTarget] {
    recipient.devices.compactMap { device in
      guard deployed.serve(device.platform) else { return nil }
      return DeliveryTarget(
        id: device.id.description,
        address: device.token,
        platform: device.platform.rawValue,
        credentials: device.credentials,
        kind: device.kind,
        apns: device.apns,
        vapidKey: device.vapidKey
      )
    }
  }
}
