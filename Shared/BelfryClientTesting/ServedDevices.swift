import BelfryJSON
import Foundation

/// A user's devices on the server.
struct ServedDevices: Sendable {
  struct Device: Sendable {
    let id: UUID
    var address: String
    /// `fcm` or `apns`.
    var kind: String
    /// Of a device of FCM `token` or `fid`.
    var addressKind: String?
    var platform: Int
    var installationId: UUID?
    var name: String?
    var isActive = true
    let createdAt: Date
    var lastUsedAt: Date
  }

  /// How many are kept.
  private static let maximum = 20

  /// The last used one first.
  private(set) var all: [Device] = []

  var activeAddresses: [String] { all.filter(\.isActive).map(\.address) }

  subscript(_ id: UUID) -> Device? { all.first { $0.id == id } }

  /// Registers an address, or refreshes it; others of the same installation and kind get no pushes any more.
  mutating func register(_ device: Device) -> Device {
    var next = device
    if let index = all.firstIndex(where: { $0.address == device.address }) {
      let before = all.remove(at: index)
      next = Device(
        id: before.id,
        address: device.address,
        kind: device.kind,
        addressKind: device.addressKind,
        platform: device.platform,
        installationId: device.installationId,
        name: device.name,
        createdAt: before.createdAt,
        lastUsedAt: device.lastUsedAt
      )
    }
    for index in all.indices where all[index].kind == next.kind {
      let isSameInstallation = next.installationId != nil && all[index].installationId == next.installationId
      let isSameName =
        next.name != nil && all[index].name == next.name && all[index].platform == next.platform
      if isSameInstallation || isSameName { all[index].isActive = false }
    }
    all.insert(next, at: 0)
    all = Array(all.prefix(Self.maximum))
    return next
  }

  /// Whether there was one.
  mutating func remove(_ id: UUID) -> Bool {
    let count = all.count
    all.removeAll { $0.id == id }
    return all.count < count
  }

  /// With the others of its installation.
  mutating func remove(address: String) {
    guard let device = all.first(where: { $0.address == address }) else { return }
    all.removeAll { other in
      other.id == device.id || device.installationId.map { other.installationId == $0 } ?? false
    }
  }
}

extension ServedDevices.Device {
  /// Source: `DeviceTokenDto` of `openapi.yaml`.
  var json: JSONValue {
    var members = [
      JSONMember("id", id.wireText), JSONMember("platform", platform), JSONMember("kind", kind),
      JSONMember("deviceName", name), JSONMember("isActive", isActive), JSONMember("createdAt", createdAt.wireText),
      JSONMember("lastUsedAt", lastUsedAt.wireText),
    ]
    if let addressKind { members.append(JSONMember("addressKind", addressKind)) }
    if let installationId { members.append(JSONMember("installationId", installationId.wireText)) }
    return .object(members)
  }
}
