/// Decides, for one recipient and one notification, what happens on each channel. Pure: the same input, the same answer.
///
/// The same rules serve the first decision, the re-evaluation of what was held (``DecisionState/Occasion``), and `explain`.
public enum RoutingDecision {
  /// Asked in this order; the first that objects decides.
  ///
  /// Those that leave a channel out for good stand before those that make it wait, so nothing waits that would not be sent.
  /// The time that the sender set is the exception: until then, everything may change. Explanations alone ask that rule, since a
  /// router sees a send when its time has come.
  @DecisionRulesBuilder static var rules: some DecisionRules {
    ExpiryRule()
    CancelledRule()
    RequestedRule()
    SilentRule()
    TextRule()
    SendAtRule()
    MasterSwitchRule()
    PreferenceRule()
    MutedRule()
    ReachableRule()
    ViewingRule()
    SeenRule()
    PauseRule()
    ThrottleRule()
    QuietHoursRule()
    DigestRule()
    WaitRule()
  }

  /// - Parameter channels: The channels there are, by ascending code.
  public static func decide(
    _ input: DecisionInput,
    channels: [any RoutingChannel] = Channel.routing
  ) -> RoutingPlan {
    var none = NoTrace()
    return decide(input, channels: channels, tracer: &none)
  }

  /// The same decision, with every rule that was asked.
  public static func trace(
    _ input: DecisionInput,
    channels: [any RoutingChannel] = Channel.routing
  ) -> (plan: RoutingPlan, trace: DecisionTrace) {
    var trace = DecisionTrace()
    let plan = decide(input, channels: channels, tracer: &trace)
    return (plan, trace)
  }

  @inline(__always)
  private static func decide(
    _ input: DecisionInput,
    channels: [any RoutingChannel],
    tracer: inout some DecisionTracer
  ) -> RoutingPlan {
    let rules = rules
    return RoutingPlan(channels) { rules.verdict(on: input, over: ChannelTraits($0), tracer: &tracer).decision }
  }
}

extension RoutingDecision {
  /// Whether a decision is one more that the type's throttle let through: the caller then counts it, once for the
  /// notification. Types that pierce are not counted, and what a later rule left out neither.
  ///
  /// - Parameter state: What was decided upon.
  public static func isCounted(
    _ plan: RoutingPlan,
    from state: DecisionState,
    of type: NotificationType,
    channels: [any RoutingChannel] = Channel.routing
  ) -> Bool {
    guard type.throttle != nil, type.quietHours != .pierce, ThrottleRule.isAsked(state) else { return false }
    return channels.contains { routing in
      guard routing.attention != .none else { return false }
      switch plan[routing.channel] {
      case .deliver: return true
      case .hold(_, let reason): return ThrottleRule.comesBefore(reason)
      case .skip, .leftInbox, nil: return false
      }
    }
  }
}
