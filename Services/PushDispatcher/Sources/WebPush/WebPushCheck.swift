import Cryptography
import Foundation
import NotificationModel
import Transport

/// Asks a push service for a subscription that there cannot be: it cannot say whether the key is right, for each subscription has its
/// own, but that it is reached, and by its answer's date that the clock is right.
struct WebPushCheck {
  /// Mozilla's, which answers everybody.
  static let endpoint = "https://updates.push.services.mozilla.com/wpush/v2/belfry-check"

  let signatures: VAPIDSignatures
  let client: any HTTPSender
  var now: @Sendable () -> Date = { .now }

  func run() async -> [PushFinding] {
    guard let endpoint = PushEndpoint(Self.endpoint), let key = signatures.keys.first else { return [] }
    let response: HTTPResponse
    do {
      let authorization = try signatures.authorization(for: endpoint.origin, by: key, at: now())
      response = try await client.send(
        HTTPRequest(
          method: "POST",
          url: endpoint.address,
          headers: [(name: "TTL", value: "0"), (name: "Authorization", value: authorization)]
        )
      )
    } catch {
      return [.bad(.webPush, "\(endpoint.host) does not answer: \(error); is the way to the internet closed?")]
    }
    return [
      PushFinding.clock(response, .webPush, now: now()),
      .good(
        .webPush,
        "\(endpoint.host) is reached (there is no dry run: whether a key is right shows with each browser's subscription)"
      ),
    ].compactMap(\.self)
  }
}
