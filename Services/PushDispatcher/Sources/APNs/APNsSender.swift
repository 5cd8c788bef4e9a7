import Dispatching
import Foundation
import Logging
import NotificationModel
import NotificationQueue

/// Pushes to devices that registered with APNs itself.
struct APNsSender: PushProvider {
  let platforms: Set<DevicePlatform> = [.apns]
  let concurrency: Int
  /// One for each environment that has a key.
  let pools: [APNsPool]
  /// Of devices that did not say theirs.
  let environment: APNsAddress.Environment
  let topic: String
  var receipts = ReceiptKeys.none
  let devices: any DeviceRegistry
  let logger: Logger
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Whom a limit or trouble of APNs is about.
  func scope(of targeted: TargetedDelivery) -> ProviderScope {
    ProviderScope("apns:\((targeted.target.apns?.environment ?? environment).rawValue)")
  }

  func push(_ targeted: TargetedDelivery) async -> DeliveryResult {
    let address = targeted.target.apns
    let wanted = address?.environment ?? environment
    guard let pool = pools.first(where: { $0.environment == wanted }) else {
      return .rejected(reason: "no key for \(wanted.rawValue)", wasAsked: false)
    }
    let message = APNsMessage(targeted, topic: address?.topic ?? topic, receipt: receipts.text(for: targeted))
    guard let path = message.path else {
      return .rejected(reason: "BadDeviceToken", forgetsTarget: true, wasAsked: false)
    }
    guard let body = message.encoded() else {
      return .rejected(reason: "payload above \(APNsMessage.maximumPayload) bytes", wasAsked: false)
    }
    let isOwnTopic = address?.topic.map { $0 != topic } ?? false
    switch await pool.push(message, path: path, body: body.bytes, isOwnTopic: isOwnTopic) {
    case .accepted(let id):
      return .delivered(providerID: id, note: note(body))
    case .gone(let reason, let since):
      guard isGone(since, registered: address?.registeredAt) else { return .rejected(reason: reason) }
      return .rejected(reason: reason, forgetsTarget: true, goneSince: since)
    case .tokenRefused(let reason):
      let other = reason == "BadDeviceToken" ? pools.first { $0.environment != wanted } : nil
      guard let other else { return refused(reason, by: pool, isOwnTopic) }
      return await probe(other, message, path, body, targeted) ?? refused(reason, by: pool, isOwnTopic)
    case .rejected(let reason):
      if !isOwnTopic {
        logger.error("APNs refuses what Belfry sends: this is a bug", metadata: ["reason": "\(reason)"])
      }
      return .rejected(reason: reason)
    case .retry(let reason, let first, let after, _, let isTrouble):
      return .retry(reason: reason, first: first, after: after, isProviderTrouble: isTrouble)
    case .postponed(let reason, let after):
      return .postponed(reason: reason, after: after)
    case .abandoned:
      return .abandoned
    // The pool made something else of them.
    case .misconfigured, .providerTokenExpired:
      return .postponed(reason: "stopped", after: APNsAnswer.pause)
    }
  }

  private func note(_ body: PushBody) -> String? {
    body.isShortened ? "body shortened to fit \(APNsMessage.maximumPayload) bytes" : nil
  }

  /// What APNs knew before the app registered again says nothing about the app of today. This is as the router has found it; what
  /// was registered since, the store knows.
  private func isGone(_ since: Date?, registered: Date?) -> Bool {
    guard let since, let registered else { return true }
    return registered <= since
  }

  /// A token that one refuses is given up, of many together none: then the deployment's environment or topic is wrong. Of topics that
  /// devices chose nothing follows for others.
  private func refused(_ reason: String, by pool: APNsPool, _ isOwnTopic: Bool) -> DeliveryResult {
    let most = isOwnTopic ? nil : postponedAsMost(reason, by: pool)
    return most ?? .rejected(reason: reason, forgetsTarget: true)
  }

  /// Counts a refusal. Nil unless it is one of many: then it waits.
  private func postponedAsMost(_ reason: String, by pool: APNsPool) -> DeliveryResult? {
    let (isOneOfMany, isNews) = pool.refusals.refused()
    guard isOneOfMany else { return nil }
    if isNews {
      logger.error(
        "APNs refuses most devices' tokens: they are kept, and tried again; check the environment and the topic",
        metadata: ["environment": "\(pool.environment.rawValue)", "reason": "\(reason)"]
      )
    }
    return .postponed(reason: "\(reason), as most", after: .seconds(600))
  }

  /// Asks the other environment, whose answer decides; nil if it does not know the token either.
  private func probe(
    _ other: APNsPool,
    _ message: APNsMessage,
    _ path: String,
    _ body: PushBody,
    _ targeted: TargetedDelivery
  ) async -> DeliveryResult? {
    switch other.takeProbe() {
    case .after(.zero): break
    case .after(let wait): do { try await sleep(wait) } catch { return .abandoned }
    case .later:
      // Nobody knows yet whether the other environment has it: it is kept, and comes for its turn as often as it takes.
      // It is not counted: it would be at each return.
      return .postponed(reason: "BadDeviceToken", after: APNsAnswer.pause)
    case .stopped:
      // In the end it is given up unasked, for then it was refused often enough.
      return .retry(reason: "BadDeviceToken", first: APNsAnswer.firstRetry, thenForgetsTarget: true)
    }
    switch await other.probe(message, path: path, body: body.bytes) {
    case .accepted(let id):
      await store(other.environment, of: targeted)
      return .delivered(
        providerID: id,
        note: note(body) ?? "the token is one of \(other.environment.rawValue): stored"
      )
    case .gone(let reason, let since):
      guard !isGone(since, registered: targeted.target.apns?.registeredAt) else {
        return .rejected(reason: reason, forgetsTarget: true, goneSince: since)
      }
      await store(other.environment, of: targeted)
      return .rejected(reason: reason)
    case .tokenRefused:
      return nil
    case .rejected(let reason):
      return .rejected(reason: reason)
    case .misconfigured(let cause):
      logger.warning(
        "a token cannot be tried in the other environment, to which our key is strange; nothing is stopped",
        metadata: ["environment": "\(other.environment.rawValue)", "reason": "\(cause.reason)"]
      )
      return nil
    // It says nothing of the environment in whose scope the device is.
    case .retry(let reason, let first, let after, _, _):
      return .retry(reason: reason, first: first, after: after)
    case .providerTokenExpired:
      return .retry(reason: "ExpiredProviderToken", first: APNsAnswer.firstRetry)
    case .postponed(let reason, let after):
      return .postponed(reason: reason, after: after)
    case .abandoned:
      return .abandoned
    }
  }

  private func store(_ environment: APNsAddress.Environment, of targeted: TargetedDelivery) async {
    guard let device = DeviceID(targeted.target.id) else { return }
    do {
      try await devices.move(device, of: targeted.delivery.userId, token: targeted.target.address, to: environment)
      logger.info("a device's environment was the other one", metadata: ["environment": "\(environment.rawValue)"])
    } catch {
      // The push has arrived: the next one asks again.
      logger.warning("a device's environment could not be stored", metadata: ["error": "\(error)"])
    }
  }
}
