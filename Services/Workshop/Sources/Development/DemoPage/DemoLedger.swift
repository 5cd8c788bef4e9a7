import NotificationModel

/// What was to arrive, and what did.
struct DemoLedger: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var due = 0
    var arrived = 0
    var waiting = 0
    var refused = 0
    /// Beside what is due: what was decided not to be sent.
    var leftOut = 0
    var twice = 0

    fileprivate mutating func add(_ standing: DemoTrace.Standing) {
      if standing.isDue { due += 1 }
      switch standing.state {
      case .notDelivered where standing.isLeftOut: leftOut += 1
      case .delivered: arrived += 1
      case .notDelivered: refused += 1
      case .pending, .waiting: waiting += 1
      }
    }

    fileprivate static func + (one: Entry, other: Entry) -> Entry {
      Entry(
        due: one.due + other.due,
        arrived: one.arrived + other.arrived,
        waiting: one.waiting + other.waiting,
        refused: one.refused + other.refused,
        leftOut: one.leftOut + other.leftOut,
        twice: one.twice + other.twice
      )
    }
  }

  private(set) var entries: [Channel: Entry] = [:]
  /// The channel push, by provider.
  private(set) var pushes: [DevicePlatform.Carrier: Entry] = [:]

  init() {}

  init(_ trace: DemoTrace) {
    for standing in trace.standings where standing.isDue || standing.isLeftOut {
      entries[standing.channel, default: Entry()].add(standing)
      if standing.channel == .push { pushes[standing.member.carrier, default: Entry()].add(standing) }
    }
    for (channel, count) in trace.twice { entries[channel, default: Entry()].twice += count }
    for (carrier, count) in trace.pushedTwice { pushes[carrier, default: Entry()].twice += count }
  }

  mutating func add(_ other: DemoLedger) {
    entries.merge(other.entries, uniquingKeysWith: +)
    pushes.merge(other.pushes, uniquingKeysWith: +)
  }
}
