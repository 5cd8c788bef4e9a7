import Foundation

/// What has lost its meaning goes nowhere.
struct ExpiryRule: DecisionRule {
  var name: String { "expiry" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard let expiresAt = input.subject.expiresAt, expiresAt <= input.subject.now else { return .pass }
    return .skip(.expired)
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let expiresAt = input.subject.expiresAt else { return "it never expires" }
    return (expiresAt <= input.subject.now ? "it expired at " : "it expires at ") + input.spoken(expiresAt)
  }
}
