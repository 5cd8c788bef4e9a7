import NotificationModel
import NotificationStore

extension DeviceStore.Registration {
  static func sample(_ token: String, platform: DevicePlatform = .android, name: String? = nil) -> Self {
    Self(token: token, platform: platform, name: name, appVersion: "1.0")
  }
}

extension UserStore.Profile {
  static func sample(email: String? = "sam@example.org", isEnabled: Bool = true) -> Self {
    Self(email: email, displayName: "Sam", locale: "de", timezone: "Europe/Berlin", isEnabled: isEnabled)
  }
}
