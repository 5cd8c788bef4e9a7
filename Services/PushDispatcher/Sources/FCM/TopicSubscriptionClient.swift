import Dispatching
import Foundation
import NotificationStore
import Transport

/// Tells FCM of one subscription (FCM HTTP v1, `projects.registrations.topicSubscriptions`): it has one call for each.
struct TopicSubscriptionClient {
  /// What is done after a call.
  enum Answer: Equatable {
    case outcome(TopicRegistrationStore.Outcome)
    /// The project's quota is used up: nothing is told before that.
    case pause(Duration, reason: String)
    /// The call was not made, or nobody waited for its end: the service stops.
    case cancelled
  }

  /// `…/v1/projects/<project>/registrations`
  let url: String
  let client: any HTTPSender
  let tokens: AccessTokens

  /// What FCM knows no registration for is told again after this, unless the device changes: it may be registered by then.
  static let refusalPause: Duration = .seconds(86_400)
  /// What FCM says of a registration, or a topic, that it does not know: it has no subscription that could end.
  private static let unknown: Set = ["UNREGISTERED", "SENDER_ID_MISMATCH", "INVALID_ARGUMENT"]
  /// The pauses after failures double from the first to the longest.
  static let (firstPause, longestPause) = (FCMAnswer.firstRetry, Duration.seconds(3_600))

  static let quotaReason = "QUOTA_EXCEEDED"

  /// - Parameter deadline: No call begins later.
  func apply(_ change: TopicRegistrationStore.Change, before deadline: ContinuousClock.Instant) async -> Answer {
    guard ContinuousClock.now < deadline else { return .cancelled }
    var answer = await call(change)
    // Our own token was refused: a fresh one is fetched, once.
    if answer == nil {
      guard ContinuousClock.now < deadline else { return .cancelled }
      answer = await call(change)
    }
    return answer ?? .outcome(.again(after: Self.pause(after: change.attempts), reason: "UNAUTHENTICATED"))
  }

  /// Nil if our own access token was refused.
  private func call(_ change: TopicRegistrationStore.Change) async -> Answer? {
    do {
      let token = try await tokens.current()
      let response = try await client.send(request(change, token))
      let answer = Self.answer(response, to: change)
      if answer == nil { tokens.refused(token) }
      return answer
    } catch let error as TransportError {
      if error.code == .cancelled { return .cancelled }
      return .outcome(.again(after: Self.pause(after: change.attempts), reason: "transport: \(error)"))
    } catch is CancellationError {
      return .cancelled
    } catch {
      return .outcome(.again(after: Self.pause(after: change.attempts), reason: "no access token: \(error)"))
    }
  }

  private func request(_ change: TopicRegistrationStore.Change, _ token: String) -> HTTPRequest {
    let (address, topic) = (Self.escaped(change.address), Self.escaped(change.topic))
    let subscriptions = "\(url)/\(address)/topicSubscriptions"
    return HTTPRequest(
      method: change.isWanted ? "POST" : "DELETE",
      url: change.isWanted ? "\(subscriptions)?topic_name=\(topic)" : "\(subscriptions)/\(topic)?allow_missing=true",
      headers: [(name: "Content-Type", value: "application/json"), (name: "Authorization", value: "Bearer \(token)")],
      body: change.isWanted ? Array("{}".utf8) : []
    )
  }

  /// Every byte that is not unreserved (RFC 3986).
  static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  private static let unreserved = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
  )

  /// - Returns: Nil if our own access token was refused.
  static func answer(_ response: HTTPResponse, to change: TopicRegistrationStore.Change) -> Answer? {
    if (200...299).contains(response.status) { return .outcome(.done) }
    switch FCMAnswer(response) {
    // It is subscribed. What was in another call's way has the same status.
    case .result(.rejected(let reason, _, _, _)) where response.status == 409 && change.isWanted && reason != "ABORTED":
      return .outcome(.done)
    case .result(.rejected(let reason, _, _, _)) where unknown.contains(reason):
      return .outcome(change.isWanted ? .again(after: refusalPause, reason: reason) : .done)
    case .payloadRefused:
      return .outcome(change.isWanted ? .again(after: refusalPause, reason: "INVALID_ARGUMENT") : .done)
    // Says nothing about the registration: it may be subscribed still.
    case .result(.rejected(let reason, _, _, _)):
      return .outcome(.again(after: pause(after: change.attempts), reason: reason))
    // It was not there: FCM says so without a code of its own. Another server's 404 says nothing.
    case .misconfigured("NOT_FOUND") where response.status == 404 && !change.isWanted: return .outcome(.done)
    case .misconfigured(let reason):
      return .outcome(.again(after: pause(after: change.attempts), reason: "\(response.status) \(reason)"))
    case .accessTokenRefused: return nil
    case .quota(let wait, .project):
      return .pause(max(wait ?? FCMAnswer.quotaPause, firstPause), reason: quotaReason)
    case .quota(let wait, _):
      let wait = max(wait ?? FCMAnswer.quotaPause, pause(after: change.attempts))
      return .outcome(.again(after: wait, reason: quotaReason))
    case .result(.retry(let reason, _, let wait, _, _)):
      return .outcome(.again(after: max(wait ?? .zero, pause(after: change.attempts)), reason: reason))
    case .result: return .outcome(.again(after: pause(after: change.attempts), reason: "HTTP \(response.status)"))
    }
  }

  /// Between half of the step and the step.
  static func pause(after attempts: Int) -> Duration {
    let step = min(firstPause * (1 << min(max(0, attempts), 10)), longestPause)
    return max(firstPause, step * Double.random(in: 0.5...1))
  }
}
