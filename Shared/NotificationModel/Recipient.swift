/// What routing must know about a person. A person without a profile has these defaults and can be reached in-app and by push.
public struct Recipient: Sendable {
  public var id: UserID
  public var displayName: String?
  public var email: String?
  /// True after a hard bounce or an unsubscribe.
  public var isEmailSuppressed = false
  /// The master switch: false silences everything.
  public var isEnabled = true
  /// The recipient's own choices for the type at hand; nil means the catalogue's.
  public var preference: PerChannel<Bool>?
  /// Active devices only.
  public var devices: [Device] = []
  /// What the recipient has on a screen right now.
  public var viewing: Set<ViewedEntity> = []

  public init(id: UserID) {
    self.id = id
  }
}

/// A registered device that can receive pushes.
public struct Device: Sendable, Equatable {
  public var id: DeviceID
  /// FCM registration token: a secret of the device, never logged.
  public var token: String
  public var platform: DevicePlatform

  public init(id: DeviceID, token: String, platform: DevicePlatform) {
    self.id = id
    self.token = token
    self.platform = platform
  }
}

/// Codes as in the push notification specification.
public enum DevicePlatform: Int, Sendable, Codable, CaseIterable {
  case iOS = 1
  case android = 2
  case web = 3
}
