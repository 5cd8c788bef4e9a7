/// A trouble to make for requests that match.
struct Fault: Sendable, Equatable {
  enum Channel: String, Sendable, CaseIterable {
    /// `messages:send`.
    case push
    /// The topic subscriptions of a registration.
    case topic
    /// `POST /3/device/<token>` of APNs.
    case apns
    /// `POST /push/<id>` of a browser's push service; the target is the endpoint.
    case webpush
    /// The OAuth token endpoint.
    case oauth
    /// The SMTP sink.
    case email
  }

  struct Match: Sendable, Equatable {
    var channel: Channel
    /// Device token, installation ID, endpoint or topic of a push, registration of a subscription, recipient of a mail; nil matches
    /// all.
    var target: String?
    /// Part of the matching requests that are hit, chosen at random: 0 to 1.
    var share: Double?
  }

  let id: Int
  let match: Match
  let effect: FaultEffect
  /// Hits left; nil is for ever.
  var remaining: Int?
  var hits = 0
}
