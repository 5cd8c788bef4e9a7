public import WallClock

extension RecurrenceRule {
  /// The dates of the rule from `start` on, when things happen at `time` in `zone`, which matter only to an UNTIL
  /// with a
  /// time: the last date is the last one whose instant is not after it.
  ///
  /// COUNT counts local dates, so it ends on the same date in all zones.
  public func dates(from start: LocalDate, at time: LocalTime, in zone: Zone) -> RecurrenceDates {
    RecurrenceDates(self, start: start, last: end.lastDate(at: time, in: zone))
  }

  /// The dates of the rule from `start` on as such; an UNTIL with a time is compared with their midnights in UTC.
  public func dates(from start: LocalDate) -> RecurrenceDates {
    dates(from: start, at: .midnight, in: .utc)
  }
}
