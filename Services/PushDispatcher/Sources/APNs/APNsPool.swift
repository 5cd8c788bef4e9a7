import Dispatching
import Foundation
import BelfryJSON
import Logging
import NotificationModel
import Synchronization
import Transport

/// What a pool needs of its connections.
protocol APNsConnections: HTTPSender {
  /// Lets another connection take the place of the one over which the answer came.
  func replaceConnection(of response: HTTPResponse)
}

extension HTTP2Client: APNsConnections {}

/// The connections to one environment of APNs, with one team and key, and what is known of them: APNs binds connections to these.
final class APNsPool: Sendable {
  let environment: APNsAddress.Environment
  let stop = PoolStop()
  let refusals = RefusedTokens()
  private let origin: String
  private let connections: any APNsConnections
  private let tokens: ProviderTokens
  private let logger: Logger
  /// When the next token of the other environment may be tried here.
  private let nextProbe = Mutex<ContinuousClock.Instant?>(nil)

  private static let betweenProbes = Duration.seconds(1)
  /// Whoever would have to wait longer for a turn comes back later.
  static let longestProbeWait = Duration.seconds(5)

  /// Whether a token that the other environment refused may be tried here.
  enum ProbeTurn: Equatable {
    /// After so long: the turn is taken.
    case after(Duration)
    /// Others come first.
    case later
    /// The pool itself is stopped.
    case stopped
  }

  init(
    _ environment: APNsAddress.Environment,
    origin: String,
    connections: any APNsConnections,
    tokens: ProviderTokens,
    logger: Logger
  ) {
    self.environment = environment
    self.origin = origin
    self.connections = connections
    self.tokens = tokens
    self.logger = logger
  }

  /// What the operator must mend before anything is sent; nil if nothing.
  var problem: String? { stop.reason().map { "apns \(environment.rawValue): \($0)" } }

  /// Takes a turn to try a token that the other environment refused: there is one a second, and few wait for theirs.
  func takeProbe(at now: ContinuousClock.Instant = .now) -> ProbeTurn {
    guard stop.reason() == nil else { return .stopped }
    return nextProbe.withLock { next in
      let turn = max(now, next ?? now)
      guard turn - now <= Self.longestProbeWait else { return .later }
      next = turn + Self.betweenProbes
      return .after(turn - now)
    }
  }

  /// Pushes, unless the pool is stopped. What is ours stops it.
  ///
  /// - Parameter isOwnTopic: Whether the device has said a topic of its own: it is then no matter of the pool if that is wrong.
  func push(_ message: APNsMessage, path: String, body: [UInt8], isOwnTopic: Bool) async -> APNsAnswer {
    // When the pause is over, they come after the deployment's own: what is said to them ends no stop.
    if let (reason, time) = stop.wait(at: isOwnTopic ? .now - PoolStop.pause : .now) {
      return .postponed(reason: reason, after: time)
    }
    let answer = await send(message, path: path, body: body)
    switch answer {
    case .misconfigured(let cause) where cause.isOfTopic && isOwnTopic:
      return .rejected(reason: cause.reason)
    case .misconfigured(let cause) where isOwnTopic:
      // Perhaps for the topic, perhaps not.
      return .retry(reason: cause.reason, first: APNsAnswer.pause)
    case .misconfigured(let cause):
      return stopped(for: cause.reason)
    case .providerTokenExpired:
      return stopped(for: "ExpiredProviderToken")
    case .accepted:
      refusals.accepted()
      passed()
    case _ where answer.isAboutDevice:
      passed()
    default: break
    }
    return answer
  }

  /// Pushes to a device of the other environment, so it seems: whatever is said, nothing is stopped.
  func probe(_ message: APNsMessage, path: String, body: [UInt8]) async -> APNsAnswer {
    await send(message, path: path, body: body)
  }

  /// The server says goodbye: `{"reason":…}` where it is not an ordinary end.
  static func report(_ goodbye: HTTP2Goodbye, of environment: APNsAddress.Environment, to logger: Logger) {
    // Anything may stand there.
    let reason = (try? JSONParser.parse(Array(goodbye.text.utf8)))?["reason"]?.string
    let isOrdinary = goodbye.code == 0 && reason == nil
    logger.log(
      level: isOrdinary ? .debug : .warning,
      "APNs ends a connection",
      metadata: [
        "environment": "\(environment.rawValue)", "code": "\(goodbye.code)", "reason": "\(reason ?? goodbye.text)",
      ]
    )
  }

  // MARK: Stopping

  private func stopped(for reason: String) -> APNsAnswer {
    if stop.stop(reason) {
      logger.error(
        "APNs refuses our key, team or topic: nothing is sent until it takes a push, and nothing is lost",
        metadata: ["environment": "\(environment.rawValue)", "reason": "\(reason)", "remedy": "\(Self.remedy(reason))"]
      )
    }
    return .postponed(reason: reason, after: APNsAnswer.pause)
  }

  private func passed() {
    guard let reason = stop.end() else { return }
    logger.notice(
      "APNs takes pushes again",
      metadata: ["environment": "\(environment.rawValue)", "resolved": "\(reason)"]
    )
  }

  /// Where to look, for the log.
  private static func remedy(_ reason: String) -> String {
    switch reason {
    case "ExpiredProviderToken": "set this machine's clock"
    case "BadTopic", "MissingTopic", "TopicDisallowed":
      "BELFRY_PUSH_APNS_TOPIC is the app's bundle id, and the key is for it"
    case "BadEnvironmentKeyInToken", "BadEnvironmentKeyIdInToken", "BadCertificateEnvironment":
      "the key is for the other environment"
    default:
      "see BELFRY_PUSH_APNS_TEAM_ID, the key's id and its file, that the key is not revoked, and this machine's clock"
    }
  }

  // MARK: Sending

  private func send(_ message: APNsMessage, path: String, body: [UInt8]) async -> APNsAnswer {
    do {
      let token = try tokens.current()
      let answer = try await send(message, path: path, body: body, token: token)
      // A fresh token is made, once.
      guard answer == .providerTokenExpired, try tokens.renew(token) else { return answer }
      return try await send(message, path: path, body: body, token: try tokens.current())
    } catch let error as TransportError {
      return APNsAnswer(error)
    } catch {
      logger.error("a token for APNs cannot be signed", metadata: ["error": "\(error)"])
      return .postponed(reason: "no provider token", after: APNsAnswer.pause)
    }
  }

  private func send(
    _ message: APNsMessage,
    path: String,
    body: [UInt8],
    token: String
  ) async throws(TransportError) -> APNsAnswer {
    let response = try await connections.send(
      HTTPRequest(
        method: "POST",
        url: origin + path,
        headers: message.headers + [(name: "authorization", value: "bearer \(token)")],
        ownHeaders: message.ownHeaders,
        body: body
      )
    )
    let answer = APNsAnswer(response)
    switch answer {
    case .retry(_, _, _, needsConnection: true, _): connections.replaceConnection(of: response)
    case .misconfigured(let cause) where cause.needsConnection: connections.replaceConnection(of: response)
    default: break
    }
    return answer
  }
}
