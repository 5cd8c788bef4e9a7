import Dispatching
import Foundation
import Logging
import NotificationModel
import Transport

/// Pushes through FCM HTTP v1, to devices that registered with it.
struct FCMSender: PushProvider {
  /// Those whose tokens are FCM's: with another's it would say that the device is gone.
  static let own: Set<DevicePlatform> = [.iOS, .android, .web]

  let platforms = Self.own
  let concurrency: Int
  let url: String
  let web: FCMMessage.Web
  let client: any HTTPSender
  let tokens: AccessTokens
  var control = ControlSettings()
  let logger: Logger

  /// The project's.
  private static let project = ProviderScope("fcm")

  func scope(of targeted: TargetedDelivery) -> ProviderScope { Self.project }

  func push(_ targeted: TargetedDelivery) async -> DeliveryResult {
    guard let body = FCMMessage(targeted, web: web, now: Date.now).encoded() else {
      return .rejected(reason: "payload above \(FCMMessage.maximumPayload) bytes")
    }
    var answer = await send(body.bytes)
    // Our own token was refused: a fresh one is fetched, once.
    if answer == .accessTokenRefused { answer = await send(body.bytes) }
    switch answer {
    case .result(.delivered(let name, _)):
      return .delivered(
        providerID: name,
        note: body.isShortened ? "body shortened to fit \(FCMMessage.maximumPayload) bytes" : nil
      )
    case .result(let result):
      if case .rejected("THIRD_PARTY_AUTH_ERROR", _) = result {
        logger.error("FCM cannot authenticate to APNs or the web push service: check the keys in the Firebase console")
      }
      return result
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
      if scope == .project { return .throttled(reason: "QUOTA_EXCEEDED", until: retryAfter) }
      return .retry(reason: "QUOTA_EXCEEDED", first: FCMAnswer.firstRetry, after: retryAfter)
    }
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
        .retry(reason: "transport: \(error)", first: first, isProviderTrouble: error.code == .timeout)
      )
    } catch is CancellationError {
      return .result(.abandoned)
    } catch {
      logger.error("no access token for FCM", metadata: ["error": "\(error)"])
      return .result(.retry(reason: "no access token: \(error)", first: FCMAnswer.firstRetry))
    }
  }
}
