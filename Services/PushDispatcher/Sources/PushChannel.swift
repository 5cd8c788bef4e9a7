import Dispatching
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore

/// Knows which devices are of no use: what the channel needs of ``DeviceStore``.
protocol DeviceRegistry: Sendable {
  func deactivate(tokens: [(user: UserID, device: DeviceID, token: String)], reason: String) async throws
}

extension DeviceStore: DeviceRegistry {}

/// Delivers to devices through the provider that each belongs to.
struct PushChannel: DeliveryChannel {
  let queue: WorkQueue
  let channel = Channel.push
  let maximumAttempts: Int
  let longestDelivery: Duration
  let providers: ServedProviders
  let devices: any DeviceRegistry
  let logger: Logger

  /// One for each provider.
  var lanes: [Int] { providers.concurrencies }

  func lane(of target: DispatchMessage.Target) -> Int? { providers.place(of: target) }

  func deliver(
    _ delivery: DispatchMessage.Delivery,
    to target: DispatchMessage.Target,
    content: NotificationContent
  ) async -> DeliveryResult {
    guard let provider = providers.provider(of: target) else { return .noProvider }
    return await provider.push(delivery, to: target, content: content)
  }

  func forget(_ targets: [(user: UserID, target: DispatchMessage.Target, reason: String)]) async throws {
    for (reason, group) in Dictionary(grouping: targets, by: \.reason) {
      let tokens = group.compactMap { item in
        DeviceID(item.target.id).map { (user: item.user, device: $0, token: item.target.address) }
      }
      try await devices.deactivate(tokens: tokens, reason: reason)
      logger.info("devices deactivated", metadata: ["count": "\(tokens.count)", "reason": "\(reason)"])
    }
  }
}
