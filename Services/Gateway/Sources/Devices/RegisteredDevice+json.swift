import JSON
import NotificationModel
import NotificationStore
import WallClock

extension DeviceStore.RegisteredDevice {
  /// `DeviceTokenDto`, with `kind` beside the specification's fields: who carries pushes to it. The token itself is never shown.
  func write(to writer: inout JSONWriter) {
    let known = DevicePlatform(rawValue: platform)
    writer.object { writer in
      writer.field("id", id.description)
      writer.field("platform", known?.shown ?? platform)
      writer.optionalField("kind", known?.carrier.rawValue)
      writer.nullableField("deviceName", name)
      writer.field("isActive", isActive)
      writer.field("createdAt", createdAt.rfc3339)
      writer.field("lastUsedAt", lastUsedAt.rfc3339)
    }
  }
}
