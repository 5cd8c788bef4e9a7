import DevelopmentControl
import Foundation
import BelfryJSON

/// A push that a provider did not take.
struct RefusedPush {
  let provider: SimulatedPushProvider
  /// Token, endpoint, or whatever else it was sent to.
  let target: String
  let notificationID: String?
  /// Of HTTP; nil where there was no answer.
  let status: Int?
  /// `503 UNAVAILABLE`
  let words: String
  /// Milliseconds since 1970.
  let at = Int64(Date().timeIntervalSince1970 * 1_000)

  /// - Parameter answer: Status and reason; nil where there was none, because of the fault of that name.
  init(
    _ provider: SimulatedPushProvider,
    target: String,
    notificationID: String?,
    answer: (status: Int, reason: String?)?,
    fault: String
  ) {
    self.provider = provider
    self.target = target
    self.notificationID = notificationID
    status = answer?.status
    words =
      answer.map { answer in answer.reason.map { "\(answer.status) \($0)" } ?? "\(answer.status)" }
      ?? "no answer (\(fault))"
  }

  /// Fields of an object that is begun.
  func write(to writer: inout JSONWriter) {
    writer.field("provider", provider.rawValue)
    writer.field("at", ActivityJSON.time(at))
    writer.field("token", target)
    writer.nullableField("notificationId", notificationID)
    if let status { writer.field("status", status) }
    writer.field("words", words)
  }
}

extension ActivityFeed {
  func publish(_ push: RefusedPush) {
    publish {
      ActivityEvent("refused") { push.write(to: &$0) }
    } seen: {
      Sighting(kind: .refused, at: push.at, target: push.target, notification: push.notificationID, status: push.status)
    }
  }
}
