/// What a push comes to on the wire.
enum WebPushReply: Sendable, Equatable {
  /// - Parameters:
  ///   - location: Of a push that is accepted.
  ///   - windows: The reason as Windows' service has it.
  case answer(status: Int, body: [UInt8] = [], location: String? = nil, retryAfter: Int? = nil, windows: String? = nil)
  case fault(FaultEffect.Kind)

  static func refusal(_ refusal: WebPushRefusal, retryAfter: Int? = nil) -> WebPushReply {
    .answer(status: refusal.status, body: refusal.body, retryAfter: retryAfter)
  }

  /// How the log counts it.
  var name: String {
    switch self {
    case .answer(let status, _, _, _, _): "\(status)"
    case .fault(let kind): kind.rawValue
    }
  }

  /// Nil where there is no answer.
  var status: Int? {
    guard case .answer(let status, _, _, _, _) = self else { return nil }
    return status
  }

  /// All but the status.
  var headers: [(name: String, value: String)] {
    guard case .answer(_, let body, let location, let retryAfter, let windows) = self else { return [] }
    var headers = [(name: "content-length", value: "\(body.count)")]
    if !body.isEmpty { headers.append((name: "content-type", value: "application/json")) }
    if let location { headers.append((name: "location", value: location)) }
    if let retryAfter { headers.append((name: "retry-after", value: "\(retryAfter)")) }
    if let windows { headers.append((name: "x-wns-error-description", value: windows)) }
    return headers
  }
}

extension FaultEffect {
  /// What a push to a browser gets; nil if the usual answer.
  var webPushReply: WebPushReply? {
    switch kind {
    case .latency, .smtp, .reason, .goaway: nil
    case .reset, .disconnect, .hang: .fault(kind)
    // Windows' way of saying that there were too many.
    case .status where status == 406: .answer(status: 406, retryAfter: retryAfter, windows: text ?? "throttled")
    case .status: .refusal(WebPushRefusal(status: status ?? 500, message: text ?? "fault"), retryAfter: retryAfter)
    case .invalidArgument: .refusal(.invalid(text ?? "fault"))
    case .unregistered: .refusal(.gone)
    case .senderMismatch, .thirdPartyAuth: .refusal(.forbidden(text ?? "fault"))
    case .unauthenticated: .refusal(.unauthorized(text ?? "fault"))
    case .quota: .refusal(WebPushRefusal(status: 429, message: "too many"), retryAfter: retryAfter)
    case .internal: .refusal(WebPushRefusal(status: 500, message: "fault"), retryAfter: retryAfter)
    case .unavailable: .refusal(WebPushRefusal(status: 503, message: "fault"), retryAfter: retryAfter)
    }
  }
}
