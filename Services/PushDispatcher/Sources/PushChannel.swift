import Dispatching
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore

/// Knows which devices are of no use: what the channel needs of ``DeviceStore``.
protocol DeviceRegistry: Sendable {
  func deactivate(tokens: [(user: UserID, device: DeviceID, token: String, goneSince: Date?)], reason: String)
    async throws
  /// Stores in which environment of APNs a device's token is valid, unless it has another token by now.
  func move(_ device: DeviceID, of user: UserID, token: String, to environment: APNsAddress.Environment) async throws
}

extension DeviceStore: DeviceRegistry {}

/// Delivers to the devices of one provider.
struct PushChannel: DeliveryChannel {
  let queue: WorkQueue
  let channel = Channel.push
  let maximumAttempts: Int
  let longestDelivery: Duration
  let provider: any PushProvider
  let devices: any DeviceRegistry
  let logger: Logger

  var concurrency: Int { provider.concurrency }

  /// Not if the target's platform is another provider's, or another version's.
  func serves(_ target: DispatchMessage.Target) -> Bool {
    if target.audience != nil { return provider.servesTopics }
    return target.platform.flatMap(DevicePlatform.init(rawValue:)).map(provider.platforms.contains) ?? false
  }

  func scope(of targeted: TargetedDelivery) -> ProviderScope { provider.scope(of: targeted) }

  var control: ControlSettings? { provider.control }

  func deliver(_ targeted: TargetedDelivery) async -> DeliveryResult {
    await provider.push(targeted)
  }

  func forget(_ targets: [ForgottenTarget]) async throws {
    for (reason, group) in Dictionary(grouping: targets, by: \.reason) {
      let tokens = group.filter { $0.target.audience == nil }.compactMap { item in
        DeviceID(item.target.id).map {
          (user: item.user, device: $0, token: item.target.address, goneSince: item.goneSince)
        }
      }
      guard !tokens.isEmpty else { continue }
      try await devices.deactivate(tokens: tokens, reason: reason)
      logger.info("devices deactivated", metadata: ["count": "\(tokens.count)", "reason": "\(reason)"])
    }
  }
}
