public import Observation

/// The user's devices for SwiftUI. When the user signs out there are none: ``load()`` reads the next one's.
@MainActor
@Observable
public final class DevicesModel {
  /// The last used one first.
  public private(set) var devices: [RegisteredDevice] = []
  /// Whether they are being read.
  public private(set) var isLoading = false
  /// Why they could not be read, or the last change failed.
  public private(set) var error: BelfryError?

  @ObservationIgnored private let client: BelfryClient
  @ObservationIgnored private let lifetime = Lifetime()
  /// Whose they are.
  @ObservationIgnored private weak var owner: UserSession?

  /// Reads nothing until ``load()``.
  public init(_ client: BelfryClient) {
    self.client = client
    lifetime.run { [weak self] in await client.eachSignOut { [weak self] in await self?.clear() } }
  }

  /// Reads the devices.
  public func load() async {
    isLoading = true
    defer { isLoading = false }
    await change { _ in }
  }

  /// Registers this app with FCM, or refreshes that; nil if it failed.
  @discardableResult
  public func register(_ registration: DeviceRegistration) async -> RegisteredDevice? {
    var device: RegisteredDevice?
    await change { device = try await $0.registerDevice(registration) }
    return device
  }

  /// Registers this app with APNs itself, for the user with this id; nil if it failed.
  @discardableResult
  public func register(_ token: NativeDeviceToken, userId: String) async -> RegisteredDevice? {
    var device: RegisteredDevice?
    await change { device = try await $0.registerNativeDeviceToken(token, userId: userId) }
    return device
  }

  /// Deletes a device; one that is gone already is no failure.
  public func remove(_ id: RegisteredDevice.ID) async {
    await change { rest in
      do {
        try await rest.deleteDevice(id)
      } catch let error as BelfryError where error.code == .notFound {}
    }
  }

  /// Does something, and reads the list anew.
  private func change(_ change: (RESTClient) async throws -> Void) async {
    let session = client.session
    do {
      try await change(session.rest)
      let list = try await session.rest.listDevices()
      guard session === client.session else { return }
      devices = list
      owner = session
      error = nil
    } catch {
      // Who cancels a task knows it.
      if session === client.session, let error = error as? BelfryError { self.error = error }
    }
  }

  private func clear() {
    if owner === client.session { return }
    devices = []
    error = nil
  }
}
