import NotificationModel
import NotificationStore

/// `RegisterDeviceDto`: a device with an FCM token, or with an installation id of FCM (`fid`). Which of the two it is, its member says.
struct RegisterDevice: FieldReadable {
  let registration: DeviceStore.Registration

  init?(_ reader: FieldReader) {
    let address = Self.address(reader)
    let code = reader.required("platform", Int.self, expected: "1 (iOS), 2 (Android) or 3 (web)")
    // The other codes say whose token it is, which here is known.
    let platform = code.flatMap(DevicePlatform.init(rawValue:)).flatMap { $0.carrier == .fcm ? $0 : nil }
    if code != nil, platform == nil { reader.problem("platform", "expected 1 (iOS), 2 (Android) or 3 (web)") }
    let name = reader.text("deviceName", limit: 200)
    let version = reader.text("appVersion", limit: 50)
    let installation = reader.installation()
    guard let address, let platform else { return nil }
    registration = DeviceStore.Registration(
      token: address.text,
      platform: platform,
      name: name,
      appVersion: version,
      kind: address.kind,
      installation: installation
    )
  }

  private static func address(_ reader: FieldReader) -> (text: String, kind: DeviceAddressKind)? {
    switch (reader.isPresent("token"), reader.isPresent("fid")) {
    case (true, true):
      reader.problem("fid", "is given beside 'token'; expected one of the two")
      return nil
    case (false, true):
      guard let fid = reader.requiredText("fid", limit: maximumInstallationLength) else { return nil }
      guard fid.utf8.allSatisfy(isOfInstallation) else {
        reader.problem("fid", "expected a Firebase installation id: letters, digits, - and _")
        return nil
      }
      return (fid, .installation)
    case (true, false):
      let token = reader.requiredText("token", limit: DeviceStore.maximumTokenLength)
      if let token, token.utf8.count > DeviceStore.maximumTokenLength {
        reader.problem("token", "has more than \(DeviceStore.maximumTokenLength) bytes")
      }
      return token.map { ($0, .token) }
    case (false, false):
      reader.problem("token", "is required, unless 'fid' is given")
      return nil
    }
  }

  /// Those of today have 22 characters.
  private static let maximumInstallationLength = 128

  /// Whether a byte is of base64url.
  private static func isOfInstallation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
