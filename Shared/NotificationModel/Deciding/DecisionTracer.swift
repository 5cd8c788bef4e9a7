/// Sees every rule that was asked.
protocol DecisionTracer {
  mutating func asked(_ rule: some DecisionRule, on input: DecisionInput, over channel: ChannelTraits, said: Verdict)
}

/// Ordinary decisions leave no trace; the compiler leaves nothing of this.
struct NoTrace: DecisionTracer {
  @inline(__always)
  mutating func asked(_ rule: some DecisionRule, on input: DecisionInput, over channel: ChannelTraits, said: Verdict) {}
}

/// Every rule that was asked, channel by channel: what it saw, and what it said.
public struct DecisionTrace: Sendable, Equatable {
  public struct Step: Sendable, Equatable {
    public let channel: Channel
    /// Name of the rule.
    public let rule: String
    public let saw: String
    public let said: Verdict
  }

  public internal(set) var steps: [Step] = []

  /// The step that decided on a channel: the last one. Nil for a channel that was not decided.
  public func deciding(on channel: Channel) -> Step? { steps.last { $0.channel == channel } }
}

extension DecisionTrace: DecisionTracer {
  mutating func asked(_ rule: some DecisionRule, on input: DecisionInput, over channel: ChannelTraits, said: Verdict) {
    let saw = rule.explanation(of: input, over: channel)
    steps.append(Step(channel: channel.channel, rule: rule.name, saw: saw, said: said))
  }
}
