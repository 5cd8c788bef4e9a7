import Hummingbird
import JSON
import NotificationModel
import NotificationStore
import WallClock

/// A user's own devices.
struct DeviceController {
  let devices: DeviceStore

  init(_ parts: GatewayParts) {
    devices = DeviceStore(client: parts.database)
  }

  var routes: [Route] {
    [
      .get("devices", .user, list),
      .post("devices", .user, register),
    ]
  }

  func register(_ request: Request, context: GatewayContext) async throws -> Response {
    let user = try context.user()
    let input: RegisterDevice = try await RequestBody.read(of: request)
    let device = try await devices.register(input.registration, of: user)
    return .json { write(device, to: &$0) }
  }

  func list(_ request: Request, context: GatewayContext) async throws -> Response {
    let devices = try await devices.devices(of: try context.user())
    return .json { writer in
      writer.array { writer in
        for device in devices { write(device, to: &writer) }
      }
    }
  }

  /// `DeviceTokenDto`: the token itself is never shown.
  private func write(_ device: DeviceStore.RegisteredDevice, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", device.id.description)
      writer.field("platform", device.platform)
      writer.nullableField("deviceName", device.name)
      writer.field("isActive", device.isActive)
      writer.field("createdAt", device.createdAt.rfc3339)
      writer.field("lastUsedAt", device.lastUsedAt.rfc3339)
    }
  }

  /// `RegisterDeviceDto`.
  struct RegisterDevice: FieldReadable {
    let registration: DeviceStore.Registration

    init?(_ reader: FieldReader) {
      let token = reader.requiredText("token", limit: 2_048)
      // Longer ones do not fit into the index that keeps tokens unique.
      if let token, token.utf8.count > 2_048 { reader.problem("token", "has more than 2048 bytes") }
      let code = reader.required("platform", Int.self, expected: "1 (iOS), 2 (Android) or 3 (web)")
      let platform = code.flatMap(DevicePlatform.init(rawValue:))
      if code != nil, platform == nil { reader.problem("platform", "expected 1 (iOS), 2 (Android) or 3 (web)") }
      let name = reader.text("deviceName", limit: 200)
      let version = reader.text("appVersion", limit: 50)
      guard let token, let platform else { return nil }
      registration = DeviceStore.Registration(token: token, platform: platform, name: name, appVersion: version)
    }
  }
}
