public import NotificationModel

/// What evidence does to its address.
public enum SuppressionEffect: Sendable, Equatable {
  case suppresses(SuppressionReason)
  /// It suppresses the address if another mail is refused so within a week, before or after.
  case onRepetition
  /// It tells nothing of the address.
  case none
}

extension SuppressionEvidence.Kind {
  public var effect: SuppressionEffect {
    switch self {
    case .permanent(let code): Self.effect(ofPermanent: StatusCode(code))
    case .complaint: .suppresses(.complaint)
    case .soft(let code): StatusCode(code).map(Self.mayRecur) == true ? .onRepetition : .none
    case .unclear: .onRepetition
    case .manual: .suppresses(.manual)
    }
  }

  /// By whose fault it is (RFC 3463): what is about the mail, the system, the protocol or a policy says nothing of the address,
  /// nor does what is about the sender's. What has no code was called permanent by who knows why.
  private static func effect(ofPermanent code: StatusCode?) -> SuppressionEffect {
    guard let code else { return .suppresses(.hardBounce) }
    // All others are delays or successes, whatever the report calls itself.
    guard code.kind == 5 else { return .none }
    switch (code.subject, code.detail) {
    // The sender's address.
    case (1, 7), (1, 8): return .none
    case (0, _), (1, _): return .suppresses(.hardBounce)
    case (2, 1), (2, 2): return .onRepetition
    case (2, 0): return .suppresses(.hardBounce)
    // Nobody answers for the domain, say Exchange (5.4.1) and Postfix (5.4.4).
    case (4, 1), (4, 4): return .suppresses(.hardBounce)
    default: return .none
    }
  }

  /// Disabled or full: both may pass.
  private static func mayRecur(_ code: StatusCode) -> Bool {
    let recurs = code.subject == 2 && (1...2).contains(code.detail)
    return code.kind == 5 && recurs
  }
}

/// An enhanced status code (RFC 3463): `5.1.1`.
private struct StatusCode {
  let kind: Int
  let subject: Int
  let detail: Int

  /// Nil for a text that is none.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 1, parts.dropFirst().allSatisfy({ (1...3).contains($0.utf8.count) }),
      parts.allSatisfy({ part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let kind = Int(parts[0]), let subject = Int(parts[1]), let detail = Int(parts[2])
    else { return nil }
    self.kind = kind
    self.subject = subject
    self.detail = detail
  }
}
