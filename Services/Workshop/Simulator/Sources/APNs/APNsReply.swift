import BelfryJSON

/// What a push comes to on the wire.
enum APNsReply: Sendable, Equatable {
  /// - Parameters:
  ///   - id: `apns-id`.
  ///   - reason: Nil for a push that is accepted.
  ///   - timestamp: Milliseconds since 1970 when the device was known to be gone.
  case answer(status: Int, id: String, reason: String? = nil, timestamp: Int64? = nil, retryAfter: Int? = nil)
  case fault(FaultEffect.Kind)
  /// The connection is given up, and the push was not looked at.
  case goodbye(reason: String)

  static func refusal(_ reason: APNsReason, id: String, timestamp: Int64? = nil, retryAfter: Int? = nil) -> APNsReply {
    .answer(status: reason.status, id: id, reason: reason.rawValue, timestamp: timestamp, retryAfter: retryAfter)
  }

  /// How the log counts it.
  var name: String {
    switch self {
    case .answer(let status, _, let reason, _, _): reason.map { "\(status) \($0)" } ?? "\(status)"
    case .fault(let kind): kind.rawValue
    case .goodbye: "goaway"
    }
  }

  /// Status and reason, where there is an answer.
  var answer: (status: Int, reason: String?)? {
    guard case .answer(let status, _, let reason, _, _) = self else { return nil }
    return (status, reason)
  }

  static func body(reason: String, timestamp: Int64?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("reason", reason)
      if let timestamp { writer.field("timestamp", Int(timestamp)) }
    }
    return writer.bytes
  }
}

extension FaultEffect {
  /// What a push to APNs gets; nil if the usual answer.
  func apnsReply(id: String, now: Int64) -> APNsReply? {
    switch kind {
    case .latency, .smtp: nil
    case .reset, .disconnect, .hang: .fault(kind)
    case .goaway: .goodbye(reason: text ?? APNsReason.shutdown.rawValue)
    case .status: .answer(status: status ?? 500, id: id, reason: text ?? "", retryAfter: retryAfter)
    case .reason:
      text.flatMap(APNsReason.init(rawValue:)).map { reason in
        .refusal(reason, id: id, timestamp: reason.status == 410 ? now : nil, retryAfter: retryAfter)
      }
    case .invalidArgument: .refusal(.badDeviceToken, id: id)
    case .unregistered: .refusal(.unregistered, id: id, timestamp: now)
    case .senderMismatch: .refusal(.deviceTokenNotForTopic, id: id)
    case .thirdPartyAuth: .refusal(.forbidden, id: id)
    case .unauthenticated: .refusal(.invalidProviderToken, id: id)
    case .quota: .refusal(.tooManyRequests, id: id, retryAfter: retryAfter)
    case .internal: .refusal(.internalServerError, id: id, retryAfter: retryAfter)
    case .unavailable: .refusal(.serviceUnavailable, id: id, retryAfter: retryAfter)
    }
  }
}
