public import Foundation
public import Recurrence
public import WallClock

/// A schedule as a catalogue understands it.
public struct Schedule: Sendable {
  /// What is sent; its type is the schedule's own, its texts are templates.
  public let request: SendRequest
  public let timing: ScheduleTiming
  /// Whose clocks count; nil is each recipient's own.
  public let zone: Zone?

  public init(request: SendRequest, timing: ScheduleTiming, zone: Zone?) {
    self.request = request
    self.timing = timing
    self.zone = zone
  }

  /// Whether it comes at different instants to people in different zones.
  public var followsRecipients: Bool { zone == nil && !timing.isInstant }
}

/// What comes next, for those who ask.
extension Schedule {
  /// The coming instants, as far as they were searched for.
  public struct Coming: Sendable, Equatable {
    public var instants: [Date] = []
    /// Whether these are all that were asked for, or that come at all: false where more days would have to be examined.
    public var isComplete = true
    /// Days that were examined.
    public var examined = 0

    public init() {}
  }

  /// The coming instants for people in a zone.
  ///
  /// - Parameters:
  ///   - plan: What is known of the rule's dates.
  ///   - limit: Days that may be examined.
  public func next(
    _ count: Int,
    after instant: Date,
    in zone: Zone,
    plan: RecurrencePlan? = nil,
    limit: Int = DueOccurrences.maximumDays
  ) -> Coming {
    let zone = self.zone ?? zone
    let last = timing.lastDate(in: zone)
    // A day early: an instant may fall on another date than its occurrence (a day that was skipped).
    let first = zone.localDate(at: instant).adding(days: -1)
    var search = OccurrenceSearch(timing, in: zone, notBefore: first, plan: plan, limit: limit)
    var coming = Coming()
    steps: while coming.instants.count < count {
      switch search.next() {
      case .found(let occurrence):
        guard occurrence.date <= last else { break steps }
        let at = timing.instant(of: occurrence.date, in: zone)
        if at > instant { coming.instants.append(at) }
      case .ended: break steps
      case .limited:
        coming.isComplete = false
        break steps
      }
    }
    coming.examined = search.examined
    return coming
  }
}

/// What a new schedule may ask for.
extension Schedule {
  /// What is to be stored of a new schedule's dates beside it; nil where nothing is. Schedules that are stored already go on as
  /// they are.
  ///
  /// - Parameters:
  ///   - field: The one that has the rule.
  ///   - today: In the schedule's zone.
  /// - Throws: ``ValidationError`` naming the field, for a rule that asks too much, or `start`.
  public func plan(naming field: String, on today: LocalDate) throws(ValidationError) -> RecurrencePlan? {
    guard case .recurring(let rule, let start, _, _) = timing else { return nil }
    if start > today.adding(days: RecurrenceRule.furthest) {
      throw ValidationError([FieldError("start", "is more than a hundred years ahead")])
    }
    do throws(RecurrenceError) {
      return try rule.plan(from: start, on: today)
    } catch {
      throw ValidationError([FieldError(field, "\(error)")])
    }
  }
}
