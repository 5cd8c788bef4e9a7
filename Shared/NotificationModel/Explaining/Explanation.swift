public import Foundation
public import WallClock

/// What was, or would be, decided of one notification, for a support person to read to a customer.
public struct Explanation: Sendable, Equatable {
  /// One channel.
  public struct Line: Sendable, Equatable {
    public let channel: Channel
    public let decision: ChannelDecision
    /// The rule that decided; nil if none objected, or it is not known any more.
    public let rule: String?
    /// Since when the address is suppressed, where that decided and is known.
    public let since: Date?
    /// The same as a sentence: "push held until 07:00 Europe/Berlin: quiet hours 22:00-07:00, policy defer".
    public let words: String
  }

  /// By ascending code of the channel.
  public let lines: [Line]
  /// Every rule that was asked; empty for what was decided in the past.
  public let trace: DecisionTrace

  init(lines: [Line], trace: DecisionTrace) {
    self.lines = lines
    self.trace = trace
  }

  /// A dry run: what the rules say of the input, and why.
  public init(_ input: DecisionInput, channels: [any RoutingChannel] = Channel.routing) {
    let (plan, trace) = RoutingDecision.trace(input, channels: channels)
    self.trace = trace
    lines = plan.entries.map { entry in
      let objection = trace.deciding(on: entry.channel).flatMap { $0.said == .pass ? nil : $0 }
      let label = entry.channel.label(among: channels)
      let words = entry.value.words(over: label, because: objection?.saw, in: input.zone, seenFrom: input.subject.now)
      let since =
        entry.value == .skip(.emailSuppressed) ? input.recipient.addresses[entry.channel]?.suppression?.since : nil
      return Line(channel: entry.channel, decision: entry.value, rule: objection?.rule, since: since, words: words)
    }
  }

  /// What is stored of a decision of the past: the reasons' names say why, and the rules are not known any more.
  ///
  /// - Parameter zone: The recipient's.
  public init(
    stored plan: RoutingPlan,
    in zone: Zone = .utc,
    now: Date,
    channels: [any RoutingChannel] = Channel.routing
  ) {
    trace = DecisionTrace()
    lines = plan.entries.map { entry in
      let label = entry.channel.label(among: channels)
      let words = entry.value.words(over: label, because: nil, in: zone, seenFrom: now)
      return Line(channel: entry.channel, decision: entry.value, rule: nil, since: nil, words: words)
    }
  }
}

extension Explanation.Line {
  /// `deliver`, `hold` or `skip`.
  public var verb: String {
    switch decision {
    case .deliver: "deliver"
    case .hold: "hold"
    case .skip, .leftInbox: "skip"
    }
  }

  /// Name of the reason; nil for what is delivered.
  public var reason: String? {
    switch decision {
    case .deliver: nil
    case .hold(_, let reason): reason.name
    case .skip(let reason): reason.name
    case .leftInbox(let state): state.name
    }
  }

  public var until: Date? { decision.heldUntil }
}

extension ChannelDecision {
  /// - Parameter cause: More than the reason's own words, if it is known.
  fileprivate func words(over label: String, because cause: String?, in zone: Zone, seenFrom now: Date) -> String {
    switch self {
    case .deliver: "\(label) sent at once"
    case .hold(let until, let reason):
      "\(label) held until \(spoken(until, in: zone, seenFrom: now)): \(cause ?? reason.words)"
    case .skip(let reason): "\(label) left out: \(cause ?? reason.words)"
    case .leftInbox(let state): "\(label) left out: \(state.words)"
    }
  }
}
