extension Channel {
  public static let push = Channel(rawValue: 2)
}

/// Push: to every active device that a provider of the deployment serves, but to one of each installation.
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
    let devices = recipient.devices
    return devices.indices.compactMap { index in
      guard isChosen(index, among: devices) else { return nil }
      let device = devices[index]
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

  func reach(of recipient: Recipient) -> String? {
    let devices = recipient.devices
    let chosen = devices.indices.filter { isChosen($0, among: devices) }.map { devices[$0].spoken }
    return chosen.isEmpty ? nil : chosen.joined(separator: ", ")
  }

  /// Whether the device is served, and is the one of its installation that is preferred. There are few.
  private func isChosen(_ index: Int, among devices: [Device]) -> Bool {
    let platform = devices[index].platform
    guard deployed.serve(platform) else { return false }
    guard let installation = devices[index].installation else { return true }
    let rank = Self.rank(platform.carrier)
    return !devices.indices.contains { other in
      guard devices[other].installation == installation, deployed.serve(devices[other].platform) else { return false }
      let otherRank = Self.rank(devices[other].platform.carrier)
      return otherRank < rank || otherRank == rank && other < index
    }
  }

  /// Which address of an installation is preferred: APNs itself, with what only it can say, and a browser's own service last.
  private static func rank(_ carrier: DevicePlatform.Carrier) -> Int {
    switch carrier {
    case .apns: 0
    case .fcm: 1
    case .webPush: 2
    }
  }
}

extension Device {
  /// For explanations: provider and kind, and the installation if it is known; never the address.
  fileprivate var spoken: String {
    let kind = platform.carrier == .fcm ? ["\(kind.name)"] : []
    let installation = installation.map { ["installation \($0.lowercased)"] } ?? []
    let details = kind + installation
    return platform.carrier.rawValue + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }
}
