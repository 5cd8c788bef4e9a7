import NotificationModel
import NotificationStore
import UserIdentity

/// `DeviceTokenDTO` of the real-time specification: an iOS device with a token of APNs itself. Beside its members the token's
/// `environment` and `topic`, for tokens that are not of the deployment's, and the app's `installationId`.
struct NativeDevice: FieldReadable {
  /// Whose device the app takes it for.
  let user: UserIdentifier
  let registration: DeviceStore.Registration

  init?(_ reader: FieldReader) {
    let user = reader.requiredUser("userId")
    let text = reader.requiredText("token", limit: DeviceStore.maximumTokenLength)
    let token = text.flatMap(Self.token).flatMap { Self.lengths.contains($0.utf8.count / 2) ? $0 : nil }
    if text != nil, token == nil {
      reader.problem("token", "expected \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) bytes in hex")
    }
    let platform = reader.required("platform", String.self, expected: "iOS")
    if let platform, platform != "iOS" { reader.problem("platform", "expected iOS") }
    let apns = APNsAddress(environment: Self.environment(reader), topic: Self.topic(reader))
    let installation = reader.installation()
    guard let user, let token else { return nil }
    self.user = user
    registration = DeviceStore.Registration(token: token, platform: .apns, installation: installation, apns: apns)
  }

  private static func environment(_ reader: FieldReader) -> APNsAddress.Environment? {
    let expected = "production or sandbox"
    guard let name = reader.optional("environment", String.self, expected: expected) else { return nil }
    let environment = APNsAddress.Environment(rawValue: name)
    if environment == nil { reader.problem("environment", "expected \(expected)") }
    return environment
  }

  /// A bundle id; it travels as a header field of HTTP.
  private static func topic(_ reader: FieldReader) -> String? {
    guard let topic = reader.text("topic", limit: 255) else { return nil }
    let isBundle =
      !topic.isEmpty
      && topic.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    guard isBundle else {
      reader.problem("topic", "expected a bundle id: letters, digits, dots, - and _")
      return nil
    }
    return topic
  }

  /// In bytes. Those of today have 32; Apple promises no length but says "up to 100 bytes"
  /// (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
  private static let lengths = 32...100

  /// The token as it is kept, in lower case; nil for a text that is no bytes in hex. Of any length: a release before took all.
  static func token(_ text: String) -> String? {
    let bytes = text.utf8
    let isHex = bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
      default: false
      }
    }
    return isHex && !bytes.isEmpty && bytes.count.isMultiple(of: 2) ? text.lowercased() : nil
  }
}
