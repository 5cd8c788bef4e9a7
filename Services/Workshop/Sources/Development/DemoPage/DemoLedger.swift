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
  }

  private(set) var entries: [Channel: Entry] = [:]

  init() {}

  init(_ trace: DemoTrace) {
    for standing in trace.standings where standing.isDue || standing.isLeftOut {
      var entry = entries[standing.channel] ?? Entry()
      if standing.isDue { entry.due += 1 }
      switch standing.state {
      case .notDelivered where standing.isLeftOut: entry.leftOut += 1
      case .delivered: entry.arrived += 1
      case .notDelivered: entry.refused += 1
      case .pending, .waiting: entry.waiting += 1
      }
      entries[standing.channel] = entry
    }
    for (channel, count) in trace.twice { entries[channel, default: Entry()].twice += count }
  }

  mutating func add(_ other: DemoLedger) {
    entries.merge(other.entries) { mine, others in
      Entry(
        due: mine.due + others.due,
        arrived: mine.arrived + others.arrived,
        waiting: mine.waiting + others.waiting,
        refused: mine.refused + others.refused,
        leftOut: mine.leftOut + others.leftOut,
        twice: mine.twice + others.twice
      )
    }
  }
}
