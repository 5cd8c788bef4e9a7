import NotificationModel
import NotificationStore

/// `RegisterDeviceDto`: a device with an FCM token.
struct RegisterDevice: FieldReadable {
  let registration: DeviceStore.Registration

  init?(_ reader: FieldReader) {
    let token = reader.requiredText("token", limit: DeviceStore.maximumTokenLength)
    if let token, token.utf8.count > DeviceStore.maximumTokenLength {
      reader.problem("token", "has more than \(DeviceStore.maximumTokenLength) bytes")
    }
    let code = reader.required("platform", Int.self, expected: "1 (iOS), 2 (Android) or 3 (web)")
    // The other codes say whose token it is, which here is known.
    let platform = code.flatMap(DevicePlatform.init(rawValue:)).flatMap { $0.carrier == .fcm ? $0 : nil }
    if code != nil, platform == nil { reader.problem("platform", "expected 1 (iOS), 2 (Android) or 3 (web)") }
    let name = reader.text("deviceName", limit: 200)
    let version = reader.text("appVersion", limit: 50)
    guard let token, let platform else { return nil }
    registration = DeviceStore.Registration(token: token, platform: platform, name: name, appVersion: version)
  }
}
