public import Foundation
public import WallClock

/// What a rule remembers of one person and key; everything is absent until a rule of its kind needs it.
///
/// Bounded: the ring of what was sent, 24 bytes of days, and at most ``maximumKept`` bytes of the last event.
public struct RuleState: Equatable, Sendable {
  /// The last event by time; later than all others that were seen.
  public internal(set) var latest: Latest?
  /// What was sent, or is never to be sent, the oldest first.
  public internal(set) var notified: [Notified] = []
  /// The last local day on which the event of an absence rule happened: the column of the daily scan.
  public internal(set) var day: LocalDate?
  /// When this is to be looked at: the column that timers are claimed by.
  public internal(set) var timer: RuleTimer?
  /// From then on the state says nothing that still matters, and may be deleted; nil for ever.
  public internal(set) var disposableFrom: Date?
  var days: DayBitmap?
  /// The date that reminders count from, or the last day of the period.
  var due: LocalDate?
  /// The instant that a reminder counts from.
  var instant: Date?
  /// Nothing up to this instant is to be reminded of any more.
  var since: Date?
  /// Of the latest event's payload, the members that notices are made of: an object in JSON. As
  /// text, for a tree also compares where its parts stood.
  var kept: String?
  /// Members of a later version's state, written back as they were read.
  var unknown: [String: String] = [:]

  public static let maximumKept = 16 * 1_024
  static let maximumNotified = 48

  public init() {}

  /// The event that decides what the latest value is.
  public struct Latest: Equatable, Sendable {
    public let at: Date
    public let intake: Date
    public let event: String
    public let value: ExactNumber?
    public let bound: ExactNumber?
  }

  public struct Notified: Equatable, Sendable {
    public let what: String
    /// Time of the notice.
    public let at: Date
  }

  func notified(_ what: String) -> Notified? { notified.last { $0.what == what } }

  /// Remembers what was sent, and forgets what is oldest beyond `limit`.
  mutating func remember(_ what: String, at time: Date, limit: Int = maximumNotified) {
    notified.append(Notified(what: what, at: time))
    if notified.count > limit { notified.removeFirst(notified.count - limit) }
  }

  /// Whether an event is later than all that were seen. Equal times are ordered by intake, then by id, so the order of
  /// arrival never decides.
  func isOutdated(by event: RuleEvent) -> Bool {
    guard let latest else { return true }
    return (latest.at, latest.intake, latest.event) < (event.occurredAt, event.intake, event.id)
  }

  mutating func follow(_ event: RuleEvent, value: ExactNumber? = nil, bound: ExactNumber? = nil) {
    latest = Latest(at: event.occurredAt, intake: event.intake, event: event.id, value: value, bound: bound)
  }
}
