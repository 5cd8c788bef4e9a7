/// What a fault does to a request.
struct FaultEffect: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable {
    /// The answer is late, and otherwise as usual.
    case latency
    /// Any HTTP status.
    case status
    case invalidArgument
    case unregistered
    case senderMismatch
    case thirdPartyAuth
    case unauthenticated
    case quota
    case `internal`
    case unavailable
    /// The HTTP/2 stream is reset; HTTP/1.1 and SMTP connections are closed.
    case reset
    /// The whole connection is closed.
    case disconnect
    /// No answer at all until the client gives up.
    case hang
    /// An SMTP reply.
    case smtp
    /// An answer of APNs with this reason, in `text`.
    case reason
    /// APNs' goodbye with this reason, in `text`: the push is not looked at.
    case goaway
  }

  /// The command of a mail at which an effect on SMTP takes place.
  enum Stage: String, Sendable, CaseIterable {
    case recipient
    /// After the message came in full.
    case message
  }

  /// Whose quota is used up: a `google.rpc.QuotaFailure` says so.
  enum QuotaScope: String, Sendable, CaseIterable {
    case project, device, topic
  }

  var kind: Kind
  /// Wait before the answer; also together with other kinds.
  var milliseconds: Int?
  var retryAfter: Int?
  var status: Int?
  /// Of `quota`; nil: the answer does not say.
  var scope: QuotaScope?
  var smtpCode: Int?
  var enhancedCode: String?
  var text: String?
  var stage: Stage = .recipient
  /// The push or mail is accepted and kept although the answer says otherwise: what happens when an answer is lost.
  var accepts = false

  /// What a request over HTTP gets.
  var reply: FCMReply { failure.map(FCMReply.failure) ?? .fault(kind) }

  /// What a request over HTTP gets that is for this target of this project.
  func reply(project: String, target: String) -> FCMReply {
    guard let scope, var failure else { return reply }
    failure.quotaSubject = "\(scope.rawValue):\(scope == .project ? project : target)"
    return .failure(failure)
  }

  /// The error answer of FCM; nil for kinds that are none.
  var failure: FCMFailure? {
    switch kind {
    case .latency, .reset, .disconnect, .hang, .smtp, .reason, .goaway: nil
    case .status: .other(status ?? 500).retrying(after: retryAfter)
    case .invalidArgument: .invalidToken
    case .unregistered: .unregistered
    case .senderMismatch: .senderMismatch
    case .thirdPartyAuth: .thirdPartyAuthentication
    case .unauthenticated: .invalidCredentials
    case .quota: .quotaExceeded.retrying(after: retryAfter)
    case .internal: .internalError.retrying(after: retryAfter)
    case .unavailable: .unavailable.retrying(after: retryAfter)
    }
  }
}
