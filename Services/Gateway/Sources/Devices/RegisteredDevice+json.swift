import BelfryJSON
import NotificationModel
import NotificationStore
import WallClock

extension DeviceStore.RegisteredDevice {
  /// Provider, kind and installation, of which operators see no more: fields of an object that is begun.
  func writeAddress(to writer: inout JSONWriter) {
    let known = DevicePlatform(rawValue: platform)
    writer.optionalField("kind", known?.carrier.rawValue)
    if known?.carrier == .fcm { writer.optionalField("addressKind", kind?.name) }
    writer.optionalField("installationId", installation?.lowercased)
  }

  /// `DeviceTokenDto`, and beside the specification's fields `kind`, who carries pushes to it, with FCM `addressKind`, and the app's
  /// `installationId`. The address itself is never shown.
  func write(to writer: inout JSONWriter) {
    let known = DevicePlatform(rawValue: platform)
    writer.object { writer in
      writer.field("id", id.description)
      writer.field("platform", known?.shown ?? platform)
      writeAddress(to: &writer)
      writer.nullableField("deviceName", name)
      writer.field("isActive", isActive)
      writer.field("createdAt", createdAt.rfc3339)
      writer.field("lastUsedAt", lastUsedAt.rfc3339)
    }
  }
}
