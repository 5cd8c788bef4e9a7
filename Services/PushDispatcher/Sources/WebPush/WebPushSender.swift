import Cryptography
import Dispatching
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import Transport

extension OriginsClient: HTTPSender {}

extension HTTPClient: HTTPSender {}

/// Pushes to browsers through the push services of their makers (RFC 8030), encrypted for the browser alone (RFC 8291).
struct WebPushSender: PushProvider {
  let platforms: Set<DevicePlatform> = [.webPush]
  let concurrency: Int
  let hosts: PushServiceHosts
  let appearance: WebAppearance
  let receipts: ReceiptKeys
  let client: any HTTPSender
  let signatures: VAPIDSignatures
  let records = PushServiceRecords()
  private let news = RepeatedNews()
  /// Of all pushes to a push service, though it asks some users to wait longer: these may have made it do so.
  static let longestPause = Duration.seconds(600)
  let logger: Logger

  init(
    concurrency: Int,
    hosts: PushServiceHosts,
    appearance: WebAppearance,
    receipts: ReceiptKeys,
    client: any HTTPSender,
    signatures: VAPIDSignatures,
    logger: Logger
  ) {
    self.concurrency = concurrency
    self.hosts = hosts
    self.appearance = appearance
    self.receipts = receipts
    self.client = client
    self.signatures = signatures
    self.logger = logger
  }

  /// A push service's host: what one does holds no other up. All hosts of a service together have a share of the permits.
  func scope(of targeted: TargetedDelivery) -> ProviderScope {
    // What has no host that we send to takes no time either.
    guard let endpoint = endpoint(of: targeted), let service = hosts.service(of: endpoint) else {
      return ProviderScope("webpush")
    }
    return ProviderScope("webpush:\(endpoint.host)", share: "webpush:\(service)")
  }

  func push(_ targeted: TargetedDelivery) async -> DeliveryResult {
    guard let endpoint = endpoint(of: targeted) else {
      return .rejected(reason: "no known push service", wasAsked: false)
    }
    guard let credentials = targeted.target.credentials, let receiver = Receiver(credentials) else {
      return .rejected(reason: "bad keys", forgetsTarget: true, wasAsked: false)
    }
    let keys = signatures.keys(of: targeted.target.vapidKey)
    if keys.isEmpty { return unknown(targeted.target.vapidKey ?? "") }
    let record = records[endpoint.host]
    if let (reason, time) = record.wait(for: targeted.delivery.userId) {
      return .postponed(reason: reason, after: time)
    }
    let message = WebPushMessage(targeted, appearance: appearance, receipt: receipts.text(for: targeted), now: .now)
    guard var body = message.encoded() else {
      return .rejected(reason: "payload above \(WebPushMessage.maximumText) bytes", wasAsked: false)
    }
    var answer = await send(message, body, to: endpoint, receiver, keys)
    if answer == .tooLarge, let smaller = message.encoded(within: WebPushMessage.safeText),
      smaller.bytes.count < body.bytes.count
    {
      body = smaller
      answer = await send(message, body, to: endpoint, receiver, keys)
    }
    switch answer {
    case .accepted(let location):
      passed(endpoint.host, record, targeted.target)
      return .delivered(
        providerID: location,
        note: body.isShortened ? "body shortened to fit \(body.bytes.count) bytes" : nil
      )
    case .gone(let reason): return .rejected(reason: reason, forgetsTarget: true)
    case .tooLarge: return .rejected(reason: "HTTP 413")
    case .refused(let reason, let isClockWrong):
      return refused(reason, isClockWrong: isClockWrong, targeted, by: endpoint.host, record)
    case .tooMany(let reason, let after):
      guard record.limited(targeted.delivery.userId) else {
        return .retry(reason: reason, first: WebPushAnswer.firstRetry, after: after)
      }
      let wait = max(after ?? .zero, WebPushAnswer.firstRetry)
      return .throttled(reason: reason, until: wait, pause: min(wait, Self.longestPause))
    case .retry(let reason, let first, let after, let isTrouble):
      return .retry(reason: reason, first: first, after: after, isProviderTrouble: isTrouble)
    case .rejected(let reason): return .rejected(reason: reason)
    case .abandoned: return .abandoned
    }
  }

  private func endpoint(of targeted: TargetedDelivery) -> PushEndpoint? {
    PushEndpoint(targeted.target.address).flatMap { hosts.allow($0) ? $0 : nil }
  }

  // MARK: Refusals

  /// With such a key a subscription was made that this process does not have.
  private func unknown(_ key: String) -> DeliveryResult {
    if news.isDue("key \(key)") {
      logger.error(
        "browsers have subscribed with a VAPID key that this process does not have: their devices are kept",
        metadata: ["key": "\(key)", "known": "\(signatures.keys.map(\.id).joined(separator: ", "))"]
      )
    }
    return .rejected(reason: "no VAPID key \(key)", wasAsked: false)
  }

  /// What is ours is kept, whatever it takes to mend it.
  private func refused(
    _ reason: String,
    isClockWrong: Bool,
    _ targeted: TargetedDelivery,
    by host: String,
    _ record: PushServiceRecord
  ) -> DeliveryResult {
    let metadata: Logger.Metadata = ["host": "\(host)", "reason": "\(reason)"]
    switch record.refused(targeted.delivery.userId, Self.hash(targeted.target), isClockWrong: isClockWrong) {
    case .subscription:
      if news.isDue("subscription \(host)") {
        logger.warning("a push service refuses a subscription, which is kept: others are accepted", metadata: metadata)
      }
      return .rejected(reason: reason)
    case .unknown:
      if news.isDue("push \(host)") {
        logger.error("a push service refuses a push: \(Self.remedy)", metadata: metadata)
      }
      return .retry(reason: reason, first: WebPushAnswer.firstRetry)
    case .ours:
      if record.stop.stop(reason) {
        logger.error(
          "a push service refuses us: nothing is sent until it takes a push, and nothing is lost; \(Self.remedy)",
          metadata: metadata
        )
      }
      return .postponed(reason: reason, after: PoolStop.pause)
    }
  }

  private static let remedy = "see BELFRY_PUSH_WEBPUSH_SUBJECT, the VAPID key and this machine's clock"

  /// By which a subscription is known again: what its user can change makes another one of it.
  private static func hash(_ target: DispatchMessage.Target) -> Int {
    var hasher = Hasher()
    hasher.combine(target.address)
    hasher.combine(target.vapidKey)
    return hasher.finalize()
  }

  private func passed(_ host: String, _ record: PushServiceRecord, _ target: DispatchMessage.Target) {
    record.accepted(Self.hash(target))
    guard let reason = record.stop.end() else { return }
    logger.notice("a push service takes pushes again", metadata: ["host": "\(host)", "resolved": "\(reason)"])
  }

  // MARK: Sending

  /// For whom a push is encrypted.
  struct Receiver {
    let key: PublicKey
    let secret: [UInt8]

    /// Nil if the keys are none.
    init?(_ keys: SubscriptionKeys) {
      guard let point = Base64URL.bytes(keys.p256dh.utf8), let secret = Base64URL.bytes(keys.auth.utf8),
        secret.count == 16, let key = try? PublicKey(p256: point)
      else { return nil }
      (self.key, self.secret) = (key, secret)
    }
  }

  /// Signed with the first key that the push service takes.
  private func send(
    _ message: WebPushMessage,
    _ body: PushBody,
    to endpoint: PushEndpoint,
    _ receiver: Receiver,
    _ keys: [VAPIDKey]
  ) async -> WebPushAnswer {
    var answer = WebPushAnswer.abandoned
    for key in keys {
      answer = await send(message, body, to: endpoint, receiver, key)
      guard case .refused = answer else { return answer }
    }
    return answer
  }

  private func send(
    _ message: WebPushMessage,
    _ body: PushBody,
    to endpoint: PushEndpoint,
    _ receiver: Receiver,
    _ key: VAPIDKey
  ) async -> WebPushAnswer {
    do {
      let authorization = try signatures.authorization(for: endpoint.origin, by: key)
      let encrypted = try PushMessageEncryption.encrypt(body.bytes, for: receiver.key, secret: receiver.secret)
      return WebPushAnswer(
        try await client.send(
          HTTPRequest(
            method: "POST",
            url: endpoint.address,
            headers: message.headers + [(name: "Authorization", value: authorization)],
            ownHeaders: message.ownHeaders(for: endpoint.host),
            body: encrypted
          )
        )
      )
    } catch let error as TransportError {
      return WebPushAnswer(error)
    } catch {
      logger.error("a push cannot be encrypted or signed", metadata: ["error": "\(error)"])
      return .retry(reason: "not encrypted: \(error)", first: WebPushAnswer.firstRetry)
    }
  }
}
