import Authentication
import Foundation
import LocalStack
import NotificationModel
import UserIdentity
import WallClock

/// Somebody of the demo: a user with a device and an address.
struct DemoPerson: Sendable, Equatable {
  /// A UUID, or any other text.
  let id: String
  let name: String
  let email: String
  /// Of FCM, while the app on the device has Firebase.
  let deviceToken: String
  /// As of `POST /api/v1/devices`.
  let platform: Int

  static let locale = "en"
  /// This machine's, so that its clock, the people's and that of the browser are one; where it has none of that database, Berlin's.
  static let timezone = zone(TimeZone.current.identifier)

  static func zone(_ identifier: String) -> String {
    identifier.contains("/") && Zone(identifier) != nil ? identifier : "Europe/Berlin"
  }

  /// Everybody whom any story knows.
  static let known = DemoFamily.people + DemoApp.people

  /// By which tables know the person.
  var user: UserID? { UserIdentifier(id).map { UserID($0.uuid) } }

  /// Who carries pushes to the person, where the simulator stands in for all of them: iPhones have an app without Firebase, browsers
  /// their own push service.
  var carrier: DevicePlatform.Carrier {
    switch platform {
    case 1: .apns
    case 2: .fcm
    default: .webPush
    }
  }

  /// A token of APNs: 32 bytes in hex.
  var nativeToken: String {
    (Array(deviceToken.utf8) + Array(repeating: 0, count: 32)).prefix(32)
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The app's own id: everybody has one app.
  var installation: String? { user?.description }

  /// What the person holds: a browser is no phone.
  var isBrowser: Bool { platform == 3 }
  var device: String { isBrowser ? "browser" : "phone" }
  var deviceModel: String {
    switch platform {
    case 1: "iPhone"
    case 2: "Android"
    default: "Chrome"
    }
  }

  func token(_ stack: BelfryStack, lifetime: Duration = .seconds(3_600)) throws -> String {
    try TokenMinter.mint(secret: stack.tokenSecret, subject: id, lifetime: lifetime)
  }
}

extension DemoPerson {
  /// A backend's token.
  static func serviceToken(_ stack: BelfryStack, lifetime: Duration = .seconds(3_600)) throws -> String {
    try TokenMinter.mint(secret: stack.tokenSecret, subject: "belfry-dev", roles: [.service], lifetime: lifetime)
  }
}
