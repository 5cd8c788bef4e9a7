import Foundation
import NotificationModel
import Transport

/// Pushes to a device that there cannot be: APNs looks at the provider token first, so that it refuses either that or the device.
///
/// APNs has no dry run. Over a connection of its own: a refusal may narrow one.
struct APNsCheck {
  let environment: APNsAddress.Environment
  let origin: String
  let topic: String
  let client: any HTTPSender
  let tokens: ProviderTokens
  var now: @Sendable () -> Date = { .now }

  func run() async -> [PushFinding] {
    let response: HTTPResponse
    do {
      let token = try tokens.current()
      response = try await client.send(request(token))
    } catch {
      return [.bad(.apns, "\(environment.rawValue): APNs does not answer: \(error)")]
    }
    return [PushFinding.clock(response, .apns, now: now()), judged(APNsAnswer(response))].compactMap(\.self)
  }

  private func request(_ token: String) -> HTTPRequest {
    HTTPRequest(
      method: "POST",
      url: "\(origin)/3/device/\(String(repeating: "0", count: 64))",
      headers: [
        (name: "authorization", value: "bearer \(token)"), (name: "apns-topic", value: topic),
        (name: "apns-push-type", value: "alert"), (name: "apns-priority", value: "5"),
        (name: "apns-expiration", value: "0"),
      ],
      body: Array(#"{"aps":{"alert":"belfry check"}}"#.utf8)
    )
  }

  private func judged(_ answer: APNsAnswer) -> PushFinding {
    let name = environment.rawValue
    return switch answer {
    // The device is made up: what is said of it means that all else is right.
    case .tokenRefused, .gone, .accepted:
      .good(
        .apns,
        "\(name): APNs takes the key and the team (APNs has no dry run: it was asked for a device that is none)"
      )
    case .providerTokenExpired:
      .bad(.apns, "\(name): APNs says ExpiredProviderToken: set this machine's clock by NTP")
    case .misconfigured(let cause):
      .bad(.apns, "\(name): APNs says \(cause.reason): check key, key id, team id and topic")
    case .rejected(let reason), .retry(let reason, _, _, _, _), .postponed(let reason, _):
      .bad(.apns, "\(name): APNs answers \(reason)")
    case .abandoned:
      .bad(.apns, "\(name): APNs was not asked")
    }
  }
}
