public import Foundation

/// Where pushes reach this app. Source: `RegisterDeviceDto` and `NativeDeviceTokenDto` of `openapi.yaml`.
public enum PushAddress: Sendable, Equatable {
  /// A registration token of FCM, at most 2,048 bytes.
  case fcmToken(String)
  /// A Firebase installation id, at most 128 characters.
  case fid(String)
  /// A token of APNs, 32 to 100 bytes, as `didRegisterForRemoteNotificationsWithDeviceToken` gives it.
  ///
  /// `environment` is `production` or `sandbox`, `topic` the app's bundle id; nil: the deployment's.
  case apns(Data, environment: String? = nil, topic: String? = nil)

  /// What replaces an address of the same kind.
  enum Kind: String, Sendable, Codable, CaseIterable {
    case token, fid, apns
  }

  var kind: Kind {
    switch self {
    case .fcmToken: .token
    case .fid: .fid
    case .apns: .apns
    }
  }

  /// Known again, but not readable: far shorter than the address.
  var digest: StableHash {
    var hash = StableHash()
    hash.combine(kind.rawValue)
    switch self {
    case .fcmToken(let text), .fid(let text): hash.combine(text)
    case .apns(let token, _, _): hash.combine(NativeDeviceToken(token).token)
    }
    return hash
  }

  /// What the gateway would refuse anyway.
  ///
  /// - Throws: ``BelfryError`` `invalid`; it does not have the address.
  func check() throws {
    let isValid =
      switch self {
      case .fcmToken(let text): (1...2_048).contains(text.utf8.count) && text.unicodeScalars.allSatisfy(\.isVisible)
      case .fid(let text): (1...128).contains(text.utf8.count) && text.utf8.allSatisfy(isBase64URL)
      case .apns(let token, _, _): (32...100).contains(token.count)
      }
    if !isValid { throw BelfryError(.invalid, detail: "That is no address for pushes.") }
  }
}

/// What a registration says of the app beside its address.
public struct PushApp: Sendable, Equatable {
  /// 1 for iOS, 2 for Android, 3 for web.
  public var platform: Int
  /// The same name on the same platform is the same device to Belfry: a newer one replaces the older one. Nil unless it is the user's own
  /// name for this device: since iOS 16 `UIDevice` calls each iPhone `iPhone`, and two of a user's would replace each other.
  public var deviceName: String?
  public var appVersion: String?
  /// After how long an address is sent again although nothing changed. The server lets the devices go that were not used for the longest
  /// time, and Firebase wants to hear of a token once a month.
  public var refresh: Duration

  public init(
    platform: Int = 1,
    deviceName: String? = nil,
    appVersion: String? = nil,
    refresh: Duration = .seconds(7 * 86_400)
  ) {
    self.platform = platform
    self.deviceName = deviceName.map { shortened($0, to: 200) }
    self.appVersion = appVersion.map { shortened($0, to: 50) }
    self.refresh = refresh
  }
}

/// Without control characters, and no longer than the gateway takes.
private func shortened(_ text: String, to length: Int) -> String {
  String(String.UnicodeScalarView(text.unicodeScalars.filter(\.isVisible).prefix(length)))
}

private func isBase64URL(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
  default: false
  }
}

extension Unicode.Scalar {
  /// Whether it is no control character.
  fileprivate var isVisible: Bool { !(value < 0x20 || (0x7F...0x9F).contains(value)) }
}
