import Foundation
import NotificationModel
import Synchronization

@testable import PushDispatcher

/// Remembers what a provider says of devices.
final class MemoryDevices: DeviceRegistry {
  private let said = Mutex<[String]>([])

  /// `token reason` of each that was deactivated, `token environment` of each that was moved.
  var all: [String] { said.withLock(\.self) }

  func deactivate(tokens: [(user: UserID, device: DeviceID, token: String, goneSince: Date?)], reason: String)
    async throws
  {
    said.withLock { $0 += tokens.map { "\($0.token) \(reason)" } }
  }

  func move(_ device: DeviceID, of user: UserID, token: String, to environment: APNsAddress.Environment) async throws {
    said.withLock { $0.append("\(token) \(environment.rawValue)") }
  }
}
