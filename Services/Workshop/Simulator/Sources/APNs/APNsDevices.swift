import Foundation
import Synchronization

/// What APNs knows of devices' tokens. One that nobody told anything about is of the environment production, and there.
final class APNsDevices: Sendable {
  static let maximumCount = 100_000

  struct Device: Sendable, Equatable {
    var environment = APNsEnvironment.production
    /// Of its app; nil: any.
    var topic: String?
    /// When it was known to be gone.
    var unregistered: Date?
  }

  private let devices = Mutex<[String: Device]>([:])

  /// Tokens are the same in either case.
  subscript(_ token: String) -> Device { devices.withLock { $0[token.lowercased()] ?? Device() } }

  /// False if there are too many.
  func put(_ device: Device, token: String) -> Bool {
    devices.withLock { devices in
      let key = token.lowercased()
      guard devices.count < Self.maximumCount || devices[key] != nil else { return false }
      devices[key] = device
      return true
    }
  }

  func removeAll() {
    devices.withLock { $0 = [:] }
  }
}
