public import Foundation
public import NotificationModel
public import Postgres

/// What was sent and what came of it, counted when it happens: in the statement or the transaction that writes it down.
public struct StatStore: Sendable {
  /// How often each thing happened; below zero takes back what was counted before.
  public struct Counts: Sendable, Equatable {
    public var sent = 0
    public var delivered = 0
    public var failed = 0
    /// Of devices: those that reported that they displayed it.
    public var displayed = 0
    public var opened = 0
    public var acted = 0
    public var unsubscribed = 0
    /// Of devices: their users were asked whether notifications may be shown, and what they answered.
    public var asked = 0
    public var granted = 0
    public var denied = 0

    public init() {}
  }

  /// What is added to the counts of one day, type and channel.
  public struct Tally: Sendable, Equatable {
    /// In days since 1970-01-01, UTC: that of the notification's id, so that counting its rows again agrees.
    public var day: Int
    public var type: Int
    /// Nil is the notification itself, whatever it was sent on.
    public var channel: Channel?
    public var counts: Counts

    /// - Parameter time: Of the notification's id; of what concerns none, when it happened.
    public init(at time: Date, type: Int, channel: Channel?, counts: Counts) {
      day = Int((time.timeIntervalSince1970 / 86_400).rounded(.down))
      self.type = type
      self.channel = channel
      self.counts = counts
    }
  }

  let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// The days on which notifications are counted, for SQL that finds a day by an id: `numbers[width_bucket(id, firsts)]`.
  struct Days {
    /// As ``Tally/day``, ascending; nearly always it is one.
    let numbers: [Int32]
    /// Each day's first id.
    let firsts: [NotificationID]

    init(of notifications: some Sequence<NotificationID>) {
      var days: [Int32] = []
      for id in notifications {
        let day = Int32(clamping: id.milliseconds / 86_400_000)
        if !days.contains(day) { days.append(day) }
      }
      numbers = days.sorted()
      firsts = numbers.map { NotificationID(firstAt: Date(timeIntervalSince1970: Double($0) * 86_400)) }
    }
  }

  /// Where a connection counts: in a row of its own, so that it waits for maintenance at most, and in another one each quarter of an
  /// hour. For while a snapshot lasts (a dump, say) no version of a row can be removed, and each change goes through them all.
  static let slot = "((pg_backend_pid() << 7) | (extract(epoch FROM now())::int8 / 900 % 96)::int4)"

  /// Adds to the counts. To be last in its transaction: its rows stay locked until the commit. Several tallies of one count are
  /// added up. (Routers and dispatchers count in the
  /// statement that writes down what they count.)
  ///
  /// - Parameter tallies: May be empty: then the statement does nothing.
  public static func tally(_ tallies: [Tally]) -> SQLQuery {
    """
    INSERT INTO stats (day, type, channel, slot, sent, delivered, failed, displayed, opened, acted, unsubscribed, asked,
      granted, denied)
    SELECT date '1970-01-01' + t.day, t.type, t.channel, \(unescaped: slot),
      sum(t.sent)::int8, sum(t.delivered)::int8, sum(t.failed)::int8, sum(t.displayed)::int8, sum(t.opened)::int8, sum(t.acted)::int8,
      sum(t.unsubscribed)::int8, sum(t.asked)::int8, sum(t.granted)::int8, sum(t.denied)::int8
    FROM unnest(
      \(tallies.map { Int32(clamping: $0.day) }), \(tallies.map { Int16(clamping: $0.type) }),
      \(tallies.map { Int16(clamping: $0.channel?.rawValue ?? 0) }), \(tallies.map(\.counts.sent)),
      \(tallies.map(\.counts.delivered)), \(tallies.map(\.counts.failed)), \(tallies.map(\.counts.displayed)),
      \(tallies.map(\.counts.opened)),
      \(tallies.map(\.counts.acted)), \(tallies.map(\.counts.unsubscribed)), \(tallies.map(\.counts.asked)),
      \(tallies.map(\.counts.granted)), \(tallies.map(\.counts.denied))
    ) AS t(day, type, channel, sent, delivered, failed, displayed, opened, acted, unsubscribed, asked, granted, denied)
    GROUP BY t.day, t.type, t.channel
    ORDER BY t.day, t.type, t.channel
    ON CONFLICT (day, type, channel, slot) DO UPDATE SET
      sent = stats.sent + excluded.sent, delivered = stats.delivered + excluded.delivered,
      failed = stats.failed + excluded.failed, displayed = stats.displayed + excluded.displayed,
      opened = stats.opened + excluded.opened, acted = stats.acted + excluded.acted, unsubscribed = stats.unsubscribed + excluded.unsubscribed,
      asked = stats.asked + excluded.asked, granted = stats.granted + excluded.granted,
      denied = stats.denied + excluded.denied
    """
  }
}

extension NotificationID {
  /// Since 1970: of a UUIDv7 its time.
  fileprivate var milliseconds: UInt64 {
    let bytes = uuid.uuid
    let high = UInt64(bytes.0) << 40 | UInt64(bytes.1) << 32 | UInt64(bytes.2) << 24
    return high | UInt64(bytes.3) << 16 | UInt64(bytes.4) << 8 | UInt64(bytes.5)
  }
}
