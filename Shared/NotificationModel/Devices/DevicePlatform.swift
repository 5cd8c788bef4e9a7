/// What a device is, and who carries pushes to it. The codes are stored and travel; they never change meaning: 1 to 3 as in the
/// push notification specification, above 10 the same devices over their own services.
public enum DevicePlatform: Int, Sendable, Codable, CaseIterable {
  case iOS = 1
  case android = 2
  case web = 3
  /// iOS over APNs, without FCM.
  case apns = 11
  /// A browser over its own push service (RFC 8030), without FCM.
  case webPush = 13

  /// Services that carry pushes; the raw value is the name in JSON, in settings and of a queue.
  public enum Carrier: String, Sendable, CaseIterable {
    case fcm, apns, webPush

    /// Those to which this version's push dispatcher can push.
    public static let implemented: [Carrier] = [.fcm, .apns, .webPush]
  }

  public var carrier: Carrier {
    switch self {
    case .iOS, .android, .web: .fcm
    case .apns: .apns
    case .webPush: .webPush
    }
  }

  /// The device itself, by a code of the push notification specification, which is all that its apps know.
  public var shown: Int {
    switch self {
    case .iOS, .apns: 1
    case .android: 2
    case .web, .webPush: 3
    }
  }
}
