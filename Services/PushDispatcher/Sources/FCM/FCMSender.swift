import Dispatching
import Foundation
import Logging
import NotificationModel
import Transport

/// Pushes through FCM HTTP v1, to devices that registered with it, and to topics.
struct FCMSender: PushProvider {
  /// Those whose tokens are FCM's: with another's it would say that the device is gone.
  static let own: Set<DevicePlatform> = [.iOS, .android, .web]

  let platforms = Self.own
  let servesTopics = true
  let concurrency: Int
  let url: String
  let web: FCMMessage.Web
  var receipts = ReceiptKeys.none
  let client: any HTTPSender
  let tokens: AccessTokens
  /// The project's, which holds for topics as well: they have scopes of their own.
  let pause = QuotaPause()
  var control = ControlSettings()
  let logger: Logger

  /// The project's.
  private static let project = ProviderScope("fcm")

  /// A topic, or a condition, has one of its own: FCM limits how often it may be sent to. All of them have one share of the permits.
  func scope(of targeted: TargetedDelivery) -> ProviderScope {
    if targeted.target.audience == nil { return Self.project }
    return ProviderScope("fcm:topic/\(targeted.target.address)", share: "fcm:topic")
  }

  func push(_ targeted: TargetedDelivery) async -> DeliveryResult {
    if let remaining = pause.remaining { return .throttled(reason: Self.quotaReason, until: remaining) }
    // No device of a topic's is known: none reports.
    let receipt = targeted.target.audience == nil ? receipts.text(for: targeted) : nil
    let message = FCMMessage(targeted, web: web, receipt: receipt, now: Date.now)
    guard let body = message.encoded() else {
      return .rejected(reason: "payload above \(message.maximumPayload) bytes", wasAsked: false)
    }
    var answer = await send(body.bytes)
    // Our own token was refused: a fresh one is fetched, once.
    if answer == .accessTokenRefused { answer = await send(body.bytes) }
    switch answer {
    case .result(.delivered(let name, _)):
      pause.sent()
      return .delivered(
        providerID: name,
        note: body.isShortened ? "body shortened to fit \(message.maximumPayload) bytes" : nil
      )
    case .result(let result):
      if case .rejected("THIRD_PARTY_AUTH_ERROR", _, _, _) = result {
        logger.error("FCM cannot authenticate to APNs or the web push service: check the keys in the Firebase console")
      }
      return result
    case .payloadRefused(let fields):
      logger.error(
        "FCM refuses what Belfry wrote: devices are kept, and other notifications of the type will fail alike",
        metadata: ["type": "\(targeted.content.type)", "fields": "\(fields.joined(separator: ", "))"]
      )
      return .rejected(reason: "INVALID_ARGUMENT")
    case .accessTokenRefused:
      logger.error("FCM refuses the service account's access token: check the account's permissions")
      return .retry(reason: "UNAUTHENTICATED", first: FCMAnswer.firstRetry)
    case .misconfigured(let reason):
      logger.error(
        "FCM does not let this project send: check the service account's role, the project and that the API is enabled",
        metadata: ["reason": "\(reason)"]
      )
      return .retry(reason: reason, first: FCMAnswer.firstRetry)
    case .quota(let retryAfter, let scope):
      return exceeded(scope, targeted, until: retryAfter)
    }
  }

  private static let quotaReason = "QUOTA_EXCEEDED"

  /// A project's and a topic's quota are no failure of the target, a device's is: an app that is sent too much. Of what goes to a topic
  /// any other quota is the topic's, for it has no other scope.
  private func exceeded(
    _ scope: FCMAnswer.QuotaScope,
    _ targeted: TargetedDelivery,
    until time: Duration?
  ) -> DeliveryResult {
    if scope == .project {
      let wait = pause.extend(by: time.map { max($0, FCMAnswer.firstRetry) })
      return .throttled(reason: Self.quotaReason, until: wait)
    }
    let time = time ?? FCMAnswer.quotaPause
    if targeted.target.audience != nil {
      return .throttled(reason: Self.quotaReason, until: max(time, FCMAnswer.firstRetry))
    }
    // A single target's tiers begin there by themselves.
    return .retry(reason: Self.quotaReason, first: FCMAnswer.firstRetry, after: time)
  }

  private func send(_ body: [UInt8]) async -> FCMAnswer {
    do {
      let token = try await tokens.current()
      let response = try await client.send(
        HTTPRequest(
          method: "POST",
          url: url,
          headers: [
            (name: "Content-Type", value: "application/json"), (name: "Authorization", value: "Bearer \(token)"),
          ],
          body: body
        )
      )
      let answer = FCMAnswer(response)
      if answer == .accessTokenRefused { tokens.refused(token) }
      return answer
    } catch let error as TransportError {
      if error.code == .cancelled { return .result(.abandoned) }
      // Not accepted for sure: soon again. Perhaps accepted: as after a 5xx; the collapse id hides a double.
      let first = error.mayHaveBeenProcessed ? FCMAnswer.firstRetry : .seconds(1)
      return .result(
        .retry(reason: "transport: \(error)", first: first, isProviderTrouble: error.isServerTrouble)
      )
    } catch is CancellationError {
      return .result(.abandoned)
    } catch {
      logger.error("no access token for FCM", metadata: ["error": "\(error)"])
      let isTrouble = (error as? PushError)?.isTransient ?? false
      return .result(
        .retry(reason: "no access token: \(error)", first: FCMAnswer.firstRetry, isProviderTrouble: isTrouble)
      )
    }
  }
}
