public import Foundation
public import WallClock

extension NotificationHistory {
  /// What was decided, channel by channel, and of what was sent also what became of it.
  ///
  /// - Parameters:
  ///   - zone: The recipient's.
  ///   - channels: Those that have a name.
  ///   - suppression: Of the user's mail address, as it is now. One that began later than the notification was not the reason.
  public func explanation(
    in zone: Zone,
    now: Date,
    channels: [any RoutingChannel] = Channel.routing,
    suppression: AddressSuppression? = nil
  ) -> Explanation {
    let cause = suppression.flatMap { $0.since.map { $0 <= createdAt } ?? false ? $0 : nil }
    return Explanation(stored: plan, in: zone, now: now, channels: channels).map { line in
      let label = line.channel.label(among: channels)
      switch line.decision {
      case .deliver: return (sent(line.channel, label, in: zone, now: now), nil)
      case .leftInbox(let state): return (left(state, in: zone, now: now), nil)
      case .skip(.emailSuppressed):
        guard let cause else { return (line.words, nil) }
        return ("\(label) left out: \(cause.words(in: zone, seenFrom: now))", cause.since)
      case .skip, .hold: return (line.words, nil)
      }
    }
  }

  /// It was in the inbox, and is not there any more.
  private func left(_ state: InboxState, in zone: Zone, now: Date) -> String {
    let since = "\(Channel.inApp.label) in the inbox at \(spoken(createdAt, in: zone, seenFrom: now))"
    let read = readAt.map { ", read at \(spoken($0, in: zone, seenFrom: now))" } ?? ", not read"
    return since + read + ", then gone: " + state.words
  }

  private func sent(_ channel: Channel, _ label: String, in zone: Zone, now: Date) -> String {
    guard channel != .inApp else {
      let since = "\(label) in the inbox since \(spoken(createdAt, in: zone, seenFrom: now))"
      return since + (readAt.map { ", read at \(spoken($0, in: zone, seenFrom: now))" } ?? ", not read yet")
    }
    let outcomes = deliveries(on: channel)
    guard !outcomes.isEmpty else {
      return "\(label) sent, and nothing known of it yet" + (expiresAt < now ? ", though it has expired meanwhile" : "")
    }
    let delivered = outcomes.count { $0.outcome == DeliveryOutcome.delivered.rawValue }
    let all = outcomes.count == 1 ? "its only target" : "\(outcomes.count) targets"
    switch delivered {
    case outcomes.count: return "\(label) delivered to \(all)"
    case 0: return "\(label) sent, but not delivered to \(all)"
    default: return "\(label) delivered to \(delivered) of \(all)"
    }
  }
}

extension NotificationHistory.Delivery {
  /// `accepted at 07:00 Europe/Berlin`, in words that can follow the target.
  public func words(in zone: Zone, now: Date) -> String {
    let time = spoken(finishedAt, in: zone, seenFrom: now)
    let cause = reason.map { ": \($0)" } ?? ""
    let tries = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
    switch DeliveryOutcome(rawValue: outcome) {
    case .delivered: return "accepted by the provider at \(time)\(cause)"
    case .rejected:
      // Before a mail that has waited is sent, the dispatcher asks as the router does.
      if channel == .email, let objection = reason.flatMap(SkipReason.init(name:)),
        SkipReason.ofWaitingMails.contains(objection)
      {
        return "not sent any more at \(time): \(objection.words)"
      }
      return "refused for good at \(time)\(cause)"
    case .exhausted: return "given up and dead-lettered after \(tries) at \(time)\(cause)"
    case .uncertain:
      return "handed over and not answered when the dispatcher stopped at \(time); it may have arrived\(cause)"
    case .expired: return "expired before it could be delivered, at \(time)\(cause)"
    case nil: return "outcome \(outcome) at \(time)\(cause)"
    }
  }
}

extension Explanation {
  fileprivate func map(_ change: (Line) -> (words: String, since: Date?)) -> Explanation {
    let lines = lines.map { line in
      let (words, since) = change(line)
      return Line(channel: line.channel, decision: line.decision, rule: line.rule, since: since, words: words)
    }
    return Explanation(lines: lines, trace: trace)
  }
}
