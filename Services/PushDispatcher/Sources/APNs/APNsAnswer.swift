import Dispatching
import Foundation
import BelfryJSON
import Transport

/// Turns APNs' answer into what is to be done ("Handling notification responses from APNs"). Pure.
///
/// The `reason` decides; one that is not known counts by its status.
enum APNsAnswer: Equatable {
  /// APNs took it, and calls it by this id.
  case accepted(id: String?)
  /// The device has not had the app since.
  case gone(reason: String, since: Date?)
  /// No token of this environment, or of another app.
  case tokenRefused(reason: String)
  /// The token that we signed is too old.
  case providerTokenExpired
  /// Our key, team or topic is at fault, and no device: for people to mend.
  case misconfigured(Misconfiguration)
  /// Refused for good.
  case rejected(reason: String)
  /// It may work later; `needsConnection`: over another connection only. `isTrouble`: APNs failed (5xx) or did not answer in time.
  case retry(
    reason: String,
    first: Duration,
    after: Duration? = nil,
    needsConnection: Bool = false,
    isTrouble: Bool = false
  )
  /// It must wait through no fault of its own.
  case postponed(reason: String, after: Duration)
  /// It was not tried: the service stops.
  case abandoned

  struct Misconfiguration: Equatable {
    let reason: String
    /// Whether it is about the topic of this push, and not about the pool's key.
    var isOfTopic = false
    /// Whether the connection is bound to another key.
    var needsConnection = false
  }

  /// First retry of what APNs did not take, by what is no failure of it.
  static let firstRetry = Duration.seconds(60)
  /// After its own failures Apple asks for 15 minutes.
  static let firstRetryOfFailure = Duration.seconds(15 * 60)
  /// Until what is ours is tried again.
  static let pause = PoolStop.pause

  init(_ response: HTTPResponse) {
    if response.status == 200 {
      self = .accepted(id: response.headers.first("apns-id"))
      return
    }
    // An undecodable body has no reason; the status alone decides then.
    let body = try? JSONParser.parse(response.body)
    let reason = body?["reason"]?.string ?? "HTTP \(response.status)"
    let after = response.headers.first("retry-after").flatMap(FCMAnswer.seconds)
    self =
      switch (response.status, reason) {
      case (410, _): .gone(reason: reason, since: Self.time(body?["timestamp"]))
      case (_, "BadDeviceToken"), (_, "DeviceTokenNotForTopic"): .tokenRefused(reason: reason)
      case (_, "ExpiredProviderToken"): .providerTokenExpired
      case (_, "BadTopic"), (_, "MissingTopic"), (_, "TopicDisallowed"):
        .misconfigured(Misconfiguration(reason: reason, isOfTopic: true))
      case (_, "UnrelatedKeyIdInToken"): .misconfigured(Misconfiguration(reason: reason, needsConnection: true))
      // The token in use stays: a new one would make it worse.
      case (_, "TooManyProviderTokenUpdates"): .postponed(reason: reason, after: max(after ?? .zero, Self.pause))
      case (_, "IdleTimeout"): .retry(reason: reason, first: .seconds(1), after: after, needsConnection: true)
      case (_, "Shutdown"):
        .retry(
          reason: reason,
          first: .seconds(10),
          after: after,
          needsConnection: true,
          isTrouble: response.status >= 500
        )
      // InvalidProviderToken, MissingProviderToken, Forbidden, BadCertificate, BadCertificateEnvironment,
      // BadEnvironmentKeyInToken, BadEnvironmentKeyIdInToken, and whatever else Apple forbids us.
      case (401, _), (403, _): .misconfigured(Misconfiguration(reason: reason))
      // TooManyRequests: to this device.
      case (429, _): .retry(reason: reason, first: Self.firstRetry, after: after)
      case (500..., _): .retry(reason: reason, first: Self.firstRetryOfFailure, after: after, isTrouble: true)
      default: .rejected(reason: reason)
      }
  }

  init(_ error: TransportError) {
    if error.code == .cancelled {
      self = .abandoned
      return
    }
    // Not accepted for sure: soon again. Perhaps accepted: the collapse id hides a double.
    self = .retry(
      reason: "transport: \(error)",
      first: error.mayHaveBeenProcessed ? .seconds(10) : .seconds(1),
      isTrouble: error.isServerTrouble
    )
  }

  /// Whether APNs looked at the device: then key and connection are in order.
  var isAboutDevice: Bool {
    switch self {
    case .accepted, .gone, .tokenRefused: true
    default: false
    }
  }

  /// Milliseconds since 1970.
  private static func time(_ value: JSONValue?) -> Date? {
    value?.double.map { Date(timeIntervalSince1970: $0 / 1_000) }
  }
}
