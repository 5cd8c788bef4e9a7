import BelfryClient
import BelfryJSON
import Foundation

/// Devices over REST.
extension InMemoryServer {
  /// - Parameter path: What follows `/api/v1/devices`.
  func devices(_ request: HTTPRequest, _ path: [String], _ user: String) -> HTTPResponse {
    switch (request.method, path.first) {
    case ("GET", nil):
      return .json(.array((users[user]?.devices.all ?? []).map(\.json)))
    case ("POST", nil): return register(request, user)
    case ("DELETE", "current"):
      guard let address = request.header("X-Device-Token"), !address.isEmpty else {
        return .invalid("X-Device-Token", "is missing")
      }
      change(user) { $0.devices.remove(address: address) }
      return .noContent
    case (let method, let text?):
      guard let id = UUID(uuidString: text), users[user]?.devices[id] != nil else { return .notFound }
      if method == "DELETE", path.count == 1 {
        _ = change(user) { $0.devices.remove(id) }
        return .noContent
      }
      guard method == "PUT", path.count == 2, path[1] == "permission" else { return .notFound }
      let status = request.json?["status"]?.string ?? ""
      guard DevicePermission(rawValue: status) != nil else {
        return .invalid("status", "expected requested, granted or denied")
      }
      return .noContent
    default: return .problem(405)
    }
  }

  private func register(_ request: HTTPRequest, _ user: String) -> HTTPResponse {
    let body = request.json
    guard let platform = body?["platform"]?.integer, (1...3).contains(platform) else {
      return .invalid("platform", "expected 1, 2 or 3")
    }
    let (token, fid) = (body?["token"]?.string, body?["fid"]?.string)
    guard let address = token ?? fid, !address.isEmpty, token == nil || fid == nil else {
      return .invalid("token", "expected either token or fid")
    }
    return registered(
      device(address, kind: "fcm", addressKind: token == nil ? "fid" : "token", platform: platform, body),
      user
    )
  }

  /// A token of APNs itself.
  func nativeDevice(_ request: HTTPRequest, _ user: String) -> HTTPResponse {
    guard request.method == "POST" else { return .problem(405) }
    let body = request.json
    guard let owner = body?["userId"]?.string, owner == user else { return .problem(403) }
    guard let token = body?["token"]?.string?.lowercased(), (64...200).contains(token.utf8.count),
      token.utf8.count.isMultiple(of: 2), token.allSatisfy(\.isHexDigit)
    else { return .invalid("token", "expected 32 to 100 bytes in hex") }
    guard body?["platform"]?.string == "iOS" else { return .invalid("platform", "expected iOS") }
    return registered(device(token, kind: "apns", addressKind: nil, platform: 1, body), user)
  }

  private func device(
    _ address: String,
    kind: String,
    addressKind: String?,
    platform: Int,
    _ body: JSONValue?
  ) -> ServedDevices.Device {
    let now = clock.now.rounded
    return ServedDevices.Device(
      id: UUID(),
      address: address,
      kind: kind,
      addressKind: addressKind,
      platform: platform,
      installationId: body?["installationId"]?.string.flatMap(UUID.init(uuidString:)),
      name: body?["deviceName"]?.string,
      createdAt: now,
      lastUsedAt: now
    )
  }

  private func registered(_ device: ServedDevices.Device, _ user: String) -> HTTPResponse {
    // An address of another user moves to this one.
    for other in users.keys where other != user { change(other) { $0.devices.remove(address: device.address) } }
    return .json(change(user) { $0.devices.register(device) }.json)
  }
}
