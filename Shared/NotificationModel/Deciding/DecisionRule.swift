/// One reason to leave a channel out or to wait. Pure, and without any stored property: the list of values without content
/// costs nothing, but one stored name in each made a decision seven times as dear.
///
/// A new rule is such a type in `DecisionRules`, and its line in ``RoutingDecision/rules``.
protocol DecisionRule: Sendable {
  /// Name in traces and explanations; it never changes meaning.
  var name: String { get }
  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict
  /// What it looked at, in words that can end "push held until 07:00: …"; only asked for a trace.
  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String
}

/// Rules in the order in which they are asked, of a type of their own: the compiler makes one function of them all.
protocol DecisionRules: Sendable {
  /// The verdict of the first that objects. `tracer` hears of every one that was asked.
  func verdict(on input: DecisionInput, over channel: ChannelTraits, tracer: inout some DecisionTracer) -> Verdict
}

/// Writes rules down one per line.
@resultBuilder enum DecisionRulesBuilder {
  static func buildPartialBlock<Rule: DecisionRule>(first rule: Rule) -> FirstRule<Rule> { FirstRule(rule: rule) }

  static func buildPartialBlock<Former: DecisionRules, Rule: DecisionRule>(
    accumulated former: Former,
    next rule: Rule
  ) -> NextRule<Former, Rule> {
    NextRule(former: former, rule: rule)
  }
}

struct FirstRule<Rule: DecisionRule>: DecisionRules {
  let rule: Rule

  @inline(__always)
  func verdict(on input: DecisionInput, over channel: ChannelTraits, tracer: inout some DecisionTracer) -> Verdict {
    let verdict = rule.verdict(on: input, over: channel)
    tracer.asked(rule, on: input, over: channel, said: verdict)
    return verdict
  }
}

struct NextRule<Former: DecisionRules, Rule: DecisionRule>: DecisionRules {
  let former: Former
  let rule: Rule

  @inline(__always)
  func verdict(on input: DecisionInput, over channel: ChannelTraits, tracer: inout some DecisionTracer) -> Verdict {
    let objection = former.verdict(on: input, over: channel, tracer: &tracer)
    guard case .pass = objection else { return objection }
    let verdict = rule.verdict(on: input, over: channel)
    tracer.asked(rule, on: input, over: channel, said: verdict)
    return verdict
  }
}

/// What rules must know of a channel, read once for each decision.
struct ChannelTraits {
  let routing: any RoutingChannel
  let channel: Channel
  let attention: Attention

  init(_ routing: any RoutingChannel) {
    self.routing = routing
    channel = routing.channel
    attention = routing.attention
  }
}
