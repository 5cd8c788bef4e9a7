import Dispatching
import Foundation
import BelfryJSON
import NotificationModel
import Transport

/// Asks FCM to validate a push to a topic that nobody has: key, clock, project, role and API are right if it does.
struct FCMCheck {
  let url: String
  let project: String
  let client: any HTTPSender
  let tokens: AccessTokens
  var now: @Sendable () -> Date = { .now }

  func run() async -> [PushFinding] {
    let token: String
    do {
      token = try await tokens.current()
    } catch {
      return [.bad(.fcm, "no access token: \(error); is the key revoked, or this machine's clock wrong?")]
    }
    let granted = PushFinding.good(.fcm, "Google gives the service account an access token")
    let response: HTTPResponse
    do {
      response = try await client.send(request(token))
    } catch {
      return [granted, .bad(.fcm, "FCM does not answer: \(error)")]
    }
    return [granted, PushFinding.clock(response, .fcm, now: now()), judged(FCMAnswer(response))].compactMap(\.self)
  }

  private func request(_ token: String) -> HTTPRequest {
    var writer = JSONWriter(capacity: 128)
    writer.object { writer in
      writer.field("validate_only", true)
      writer.object("message") { $0.field("topic", "belfry-check") }
    }
    return HTTPRequest(
      method: "POST",
      url: url,
      headers: [
        (name: "Content-Type", value: "application/json"), (name: "Authorization", value: "Bearer \(token)"),
      ],
      body: writer.bytes
    )
  }

  private func judged(_ answer: FCMAnswer) -> PushFinding {
    switch answer {
    case .result(.delivered(_, _)):
      .good(.fcm, "FCM takes pushes of the project \(project) (dry run: nothing was sent)")
    case .accessTokenRefused:
      .bad(.fcm, "FCM refuses the service account's access token: check the account's permissions")
    case .misconfigured(let reason):
      .bad(
        .fcm,
        "FCM does not let the project \(project) send (\(reason)): check the account's role, the project and that the "
          + "API is enabled"
      )
    case .quota:
      .bad(.fcm, "FCM says that a quota of the project \(project) is used up")
    case .payloadRefused(let fields):
      .bad(.fcm, "FCM answers the dry run with INVALID_ARGUMENT (\(fields.joined(separator: ", ")))")
    case .result(let result):
      .bad(.fcm, "FCM answers the dry run with \(Self.reason(of: result))")
    }
  }

  /// FCM's own word for what it did not take.
  private static func reason(of result: DeliveryResult) -> String {
    switch result {
    case .rejected(let reason, _, _, _), .retry(let reason, _, _, _, _), .deadLettered(let reason): reason
    default: "something else"
    }
  }
}
