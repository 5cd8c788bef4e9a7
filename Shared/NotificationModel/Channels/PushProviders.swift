/// The services that carry a deployment's pushes. For routers they are what the deployment has, so who has no device of theirs is
/// left out; for a dispatcher they are what this process serves.
public struct PushProviders: Sendable, Equatable {
  /// Each once, in the order of ``DevicePlatform/Carrier``.
  public let carriers: [DevicePlatform.Carrier]

  public init(_ carriers: [DevicePlatform.Carrier]) {
    self.carriers = DevicePlatform.Carrier.allCases.filter(carriers.contains)
  }

  /// FCM alone: unless a deployment says otherwise.
  public static let standard = PushProviders([.fcm])

  /// All to which this version can push.
  public static let implemented = PushProviders(DevicePlatform.Carrier.implemented)

  public var isEmpty: Bool { carriers.isEmpty }

  /// Whether one of them is the device's own.
  public func serve(_ platform: DevicePlatform) -> Bool { carriers.contains(platform.carrier) }
}
