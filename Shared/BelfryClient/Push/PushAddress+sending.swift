import Foundation

extension PushApp {
  /// Of all that a registration says, and of whose it is: another one is to be sent.
  func content(of address: PushAddress, user: String?, gateway: URL) -> StableHash {
    var hash = address.digest
    if case .apns(_, let environment, let topic) = address {
      hash.combine(environment)
      hash.combine(topic)
    }
    hash.combine(String(platform))
    hash.combine(deviceName)
    hash.combine(appVersion)
    hash.combine(user)
    hash.combine(gateway.absoluteString)
    return hash
  }
}

extension RESTClient {
  /// Registers an address by the call that it needs.
  func register(
    _ address: PushAddress,
    of app: PushApp,
    user: String?,
    installation: UUID
  ) async throws -> RegisteredDevice {
    func registration(_ address: DeviceRegistration.Address) -> DeviceRegistration {
      DeviceRegistration(
        address,
        platform: app.platform,
        installationId: installation,
        deviceName: app.deviceName,
        appVersion: app.appVersion
      )
    }
    switch address {
    case .fcmToken(let token): return try await registerDevice(registration(.token(token)))
    case .fid(let fid): return try await registerDevice(registration(.fid(fid)))
    case .apns(let token, let environment, let topic):
      guard let user else {
        throw BelfryError(.invalid, detail: "The token does not say whose it is: register with the user's id.")
      }
      return try await registerNativeDeviceToken(
        NativeDeviceToken(token, environment: environment, topic: topic, installationId: installation),
        userId: user
      )
    }
  }
}
