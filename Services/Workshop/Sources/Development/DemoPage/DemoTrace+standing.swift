import Foundation
import NotificationModel

extension DemoTrace {
  /// How one notification of one person stands on one channel.
  struct Standing: Sendable {
    enum State: String, Sendable {
      case pending, waiting, delivered, notDelivered
    }

    let notification: NotificationID
    let member: DemoPerson
    let channel: Channel
    let state: State
    /// Whether it was decided to use the channel, and it does not wait for its time.
    let isDue: Bool
    /// Whether it was decided not to use the channel.
    var isLeftOut = false
    var reason: String?
    var until: Date?
    var attempts = 0
    var at: Date?
  }

  /// How everything stands: the newest notification last.
  var standings: [Standing] {
    parts.sorted { $0.key < $1.key }.flatMap { id, part -> [Standing] in
      guard let history = part.history else {
        return part.arrivals.map { channel, time in
          Standing(notification: id, member: part.member, channel: channel, state: .delivered, isDue: true, at: time)
        }
      }
      return history.plan.entries.map { Self.standing(of: id, part, history, on: $0.channel, $0.value) }
    }
  }

  private static func standing(
    of id: NotificationID,
    _ part: Part,
    _ history: NotificationHistory,
    on channel: Channel,
    _ decision: ChannelDecision
  ) -> Standing {
    func standing(_ state: Standing.State, isDue: Bool, reason: String? = nil, until: Date? = nil) -> Standing {
      Standing(
        notification: id,
        member: part.member,
        channel: channel,
        state: state,
        isDue: isDue,
        reason: reason,
        until: until,
        attempts: channel == .push ? part.refusals : 0,
        at: part.arrivals[channel]
      )
    }
    if part.arrivals[channel] != nil { return standing(.delivered, isDue: true) }
    switch decision {
    case .hold(let until, let reason): return standing(.waiting, isDue: false, reason: reason.name, until: until)
    case .skip(let reason):
      var left = standing(.notDelivered, isDue: false, reason: reason.name)
      left.isLeftOut = true
      return left
    case .leftInbox(let state): return standing(.notDelivered, isDue: false, reason: state.name)
    case .deliver:
      let outcomes = history.deliveries(on: channel)
      if let outcome = outcomes.last { return standing(.notDelivered, isDue: true, reason: outcome.reason) }
      return standing(channel == .push && part.refusals > 0 ? .waiting : .pending, isDue: true)
    }
  }

  enum Status: String, Sendable {
    case going, waiting, done
  }

  /// - Parameter now: A request that is for nobody is never stored.
  func status(now: Date) -> Status {
    let isUnknown = parts.values.contains { $0.history == nil } && now.timeIntervalSince(sentAt) < 15
    let states = standings.map(\.state)
    if isUnknown || states.contains(.pending) { return .going }
    return states.contains(.waiting) ? .waiting : .done
  }
}
