import NotificationModel
public import Postgres
public import WallClock

/// The counts of some days, added up.
extension StatStore {
  /// By what they are told apart.
  public enum Grouping: String, Sendable, CaseIterable {
    case type, channel, day
  }

  /// The counts of one type, channel or day.
  public struct Row: Sendable, Equatable {
    /// Code of the type or channel, or the day in days since 1970-01-01.
    public var key: Int
    /// How many notifications there were; of a channel it is not known.
    public var notifications: Int?
    /// Those that came into an inbox, so that they could be opened; nil of a channel.
    public var inbox: Int?
    /// Devices, addresses and inboxes that they were sent to, and what came of it. `opened` and `acted` are notifications:
    /// of a channel those that went there too.
    public var counts: Counts

    /// What can have been opened: notifications in inboxes; of a channel what was delivered there.
    public var openable: Int { inbox ?? counts.delivered }
    /// What somebody may have unsubscribed because of.
    public var notified: Int { notifications ?? counts.sent }
  }

  /// The counts of a span of days.
  public struct Report: Sendable, Equatable {
    /// By ascending key. What is of no type has no row among the types.
    public var rows: [Row] = []
    /// Of all.
    public var total = Counts()
    public var notifications = 0
  }

  /// - Parameter days: In UTC.
  public func report(_ days: ClosedRange<LocalDate>, by grouping: Grouping) async throws(PostgresError) -> Report {
    let sums = try await client.query(Self.sums(days, by: grouping), planned: .alongIndexes)
    var report = Report()
    var rows: [Int: Row] = [:]
    for row in sums {
      let (key, channel): (Int, Int) = (try row.get("key"), try row.get("channel"))
      let counts = try Counts(row)
      if channel == 0 { report.notifications += counts.sent }
      report.total.add(counts.places(channel))
      switch grouping {
      case .channel: rows.add(counts, of: channel)
      case .type where key == 0: break
      case .type, .day: rows.add(counts, of: channel, to: key)
      }
    }
    report.rows = rows.values.sorted { $0.key < $1.key }
    return report
  }

  // MARK: Statements

  static func sums(_ days: ClosedRange<LocalDate>, by grouping: Grouping) -> SQLQuery {
    let key =
      switch grouping {
      case .type: "type"
      case .channel: "0"
      case .day: "day - date '1970-01-01'"
      }
    return """
      SELECT (\(unescaped: key))::int4 AS key, channel, sum(sent)::int8 AS sent, sum(delivered)::int8 AS delivered,
        sum(failed)::int8 AS failed, sum(displayed)::int8 AS displayed, sum(opened)::int8 AS opened, sum(acted)::int8 AS acted,
        sum(unsubscribed)::int8 AS unsubscribed, sum(asked)::int8 AS asked, sum(granted)::int8 AS granted,
        sum(denied)::int8 AS denied
      FROM stats
      WHERE day BETWEEN date '1970-01-01' + \(Int32(days.lowerBound.dayNumber))::int4
        AND date '1970-01-01' + \(Int32(days.upperBound.dayNumber))::int4
      GROUP BY 1, 2
      """
  }
}

extension StatStore.Counts {
  fileprivate init(_ row: PostgresRow) throws(PostgresError) {
    sent = try row.get("sent")
    delivered = try row.get("delivered")
    failed = try row.get("failed")
    displayed = try row.get("displayed")
    opened = try row.get("opened")
    acted = try row.get("acted")
    unsubscribed = try row.get("unsubscribed")
    asked = try row.get("asked")
    granted = try row.get("granted")
    denied = try row.get("denied")
  }

  /// Devices, addresses and inboxes: of the notification, whose channel is 0, its inboxes. What is opened counts once, with the
  /// notification.
  fileprivate func places(_ channel: Int) -> Self {
    var counts = self
    if channel == 0 { counts.sent = delivered } else { (counts.opened, counts.acted) = (0, 0) }
    return counts
  }

  fileprivate mutating func add(_ others: Self) {
    sent += others.sent
    delivered += others.delivered
    failed += others.failed
    displayed += others.displayed
    opened += others.opened
    acted += others.acted
    unsubscribed += others.unsubscribed
    asked += others.asked
    granted += others.granted
    denied += others.denied
  }
}

extension [Int: StatStore.Row] {
  /// To the row of a type or a day.
  fileprivate mutating func add(_ counts: StatStore.Counts, of channel: Int, to key: Int) {
    var row = self[key] ?? StatStore.Row(key: key, notifications: 0, inbox: 0, counts: .init())
    if channel == 0 {
      row.notifications = (row.notifications ?? 0) + counts.sent
      row.inbox = (row.inbox ?? 0) + counts.delivered
    }
    row.counts.add(counts.places(channel))
    self[key] = row
  }

  /// To the row of a channel. Those of the notification are in-app's, but for who unsubscribed from all channels.
  fileprivate mutating func add(_ counts: StatStore.Counts, of channel: Int) {
    let key = channel == 0 ? Channel.inApp.rawValue : channel
    var row = self[key] ?? StatStore.Row(key: key, counts: .init())
    var counts = counts
    if channel == 0 { (counts.sent, counts.unsubscribed) = (counts.delivered, 0) }
    row.counts.add(counts)
    self[key] = row
  }
}
