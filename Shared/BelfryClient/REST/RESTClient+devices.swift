public import Foundation
import BelfryJSON

/// The user's devices, and what is reported of them.
extension RESTClient {
  /// Registers the app's address with FCM, or refreshes it.
  public func registerDevice(_ registration: DeviceRegistration) async throws -> RegisteredDevice {
    try await call(.registerDevice, body: registration.json, as: RegisteredDevice.init)
  }

  /// Registers a token of APNs itself, for the user with this id, who must be the caller.
  public func registerNativeDeviceToken(_ token: NativeDeviceToken, userId: String) async throws -> RegisteredDevice {
    try await call(.registerNativeDeviceToken, body: token.json(userId: userId), as: RegisteredDevice.init)
  }

  /// The last used one first.
  public func listDevices() async throws -> [RegisteredDevice] {
    try await call(.listDevices) { json in
      json.array?.compactMap(RegisteredDevice.init)
    }
  }

  /// Deletes a device of the user's, and its address. One that is not there is `notFound`.
  public func deleteDevice(_ id: RegisteredDevice.ID) async throws {
    _ = try await call(.deleteDevice, [id.wireText])
  }

  /// Deletes the device with this address, and all others of its installation. Also if there is no such device.
  ///
  /// - Parameter address: A token or `fid` of FCM, or a token of APNs in hex.
  public func deleteCurrentDevice(address: String) async throws {
    _ = try await call(.deleteCurrentDevice, headers: ["X-Device-Token": address])
  }

  /// What the user answered when the system asked whether the app may show notifications.
  public func reportDevicePermission(_ status: DevicePermission, device: RegisteredDevice.ID) async throws {
    _ = try await call(
      .reportDevicePermission,
      [device.wireText],
      body: .object([JSONMember("status", status.rawValue)])
    )
  }

  /// A push was displayed. Needs no token, so a service extension can call it.
  ///
  /// - Parameter receipt: `receipt` in the push's `userInfo`.
  public func reportDisplayed(receipt: String) async throws {
    _ = try await call(.reportReceipt, [receipt], body: .object([JSONMember("event", "displayed")]))
  }

  /// A push was opened, or a button of it used.
  public func reportOpened(receipt: String, action: BelfryAction.ID? = nil) async throws {
    var members = [JSONMember("event", "opened")]
    if let action { members.append(JSONMember("action", action)) }
    _ = try await call(.reportReceipt, [receipt], body: .object(members))
  }
}

/// Whether the app may show notifications. Source: `DevicePermissionDto` of `openapi.yaml`.
public enum DevicePermission: String, Sendable, CaseIterable {
  /// The user is being asked.
  case requested
  /// What the user answered.
  case granted, denied
}

/// An address with FCM. Source: `RegisterDeviceDto` of `openapi.yaml`.
public struct DeviceRegistration: Sendable, Equatable {
  /// What the SDK gives.
  public enum Address: Sendable, Equatable {
    /// A registration token.
    case token(String)
    /// A Firebase installation id.
    case fid(String)
  }

  /// What pushes are sent to.
  public var address: Address
  /// 1 for iOS, 2 for Android, 3 for web.
  public var platform: Int
  /// The app's own UUID, the same in all of its registrations.
  public var installationId: UUID?
  /// What its user calls it, for a list of devices.
  public var deviceName: String?
  /// For the operator's lists.
  public var appVersion: String?

  /// Without installation, name and version unless they are given.
  public init(
    _ address: Address,
    platform: Int = 1,
    installationId: UUID? = nil,
    deviceName: String? = nil,
    appVersion: String? = nil
  ) {
    self.address = address
    self.platform = platform
    self.installationId = installationId
    self.deviceName = deviceName
    self.appVersion = appVersion
  }

  var json: JSONValue {
    var members = [JSONMember("platform", platform)]
    switch address {
    case .token(let token): members.append(JSONMember("token", token))
    case .fid(let fid): members.append(JSONMember("fid", fid))
    }
    if let installationId { members.append(JSONMember("installationId", installationId.wireText)) }
    if let deviceName { members.append(JSONMember("deviceName", deviceName)) }
    if let appVersion { members.append(JSONMember("appVersion", appVersion)) }
    return .object(members)
  }
}

/// A token of APNs. Source: `NativeDeviceTokenDto` of `openapi.yaml`.
public struct NativeDeviceToken: Sendable, Equatable {
  /// In hex.
  public let token: String
  /// `production` or `sandbox`; nil: the deployment's.
  public var environment: String?
  /// The app's bundle id; nil: the deployment's.
  public var topic: String?
  /// The app's own UUID, the same in all of its registrations.
  public var installationId: UUID?

  /// - Parameters:
  ///   - token: As `didRegisterForRemoteNotificationsWithDeviceToken` gives it.
  ///   - environment: `production` or `sandbox`; nil: the deployment's.
  ///   - topic: The app's bundle id; nil: the deployment's.
  ///   - installationId: The app's own UUID, the same in all of its registrations.
  public init(_ token: Data, environment: String? = nil, topic: String? = nil, installationId: UUID? = nil) {
    self.token = token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    self.environment = environment
    self.topic = topic
    self.installationId = installationId
  }

  func json(userId: String) -> JSONValue {
    var members = [JSONMember("userId", userId), JSONMember("token", token), JSONMember("platform", "iOS")]
    if let environment { members.append(JSONMember("environment", environment)) }
    if let topic { members.append(JSONMember("topic", topic)) }
    if let installationId { members.append(JSONMember("installationId", installationId.wireText)) }
    return .object(members)
  }
}

/// A device of the user; its address is never shown. Source: `DeviceTokenDto` of `openapi.yaml`.
public struct RegisteredDevice: Sendable, Hashable, Identifiable {
  /// The server's, which a later registration of the same address keeps.
  public let id: UUID
  /// 1 for iOS, 2 for Android, 3 for web; 0 where the answer did not say it.
  public let platform: Int
  /// `fcm`, `apns` or `webPush`; nil for one that the gateway does not know yet.
  public let kind: String?
  /// The app's own UUID, as it was registered; nil for none.
  public let installationId: UUID?
  /// As it was registered; nil for none.
  public let deviceName: String?
  /// Whether pushes are sent to it.
  public let isActive: Bool
  /// When it was registered first.
  public let createdAt: Date?
  /// When it was registered last.
  public let lastUsedAt: Date?

  init?(_ json: JSONValue) {
    guard let id = json.uuid("id") else { return nil }
    self.id = id
    platform = json["platform"]?.integer ?? 0
    kind = json["kind"]?.string
    installationId = json.uuid("installationId")
    deviceName = json["deviceName"]?.string
    isActive = json["isActive"]?.boolean ?? false
    createdAt = json.date("createdAt")
    lastUsedAt = json.date("lastUsedAt")
  }
}
