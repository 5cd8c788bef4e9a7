public import WallClock

/// What is known of a rule's dates from a start, so that nobody looks for it again.
public struct RecurrencePlan: Sendable, Hashable {
  /// How far the dates have been looked for, one look after the other.
  public struct Progress: Sendable, Hashable {
    /// Every day up to this one has been examined.
    public var until: LocalDate
    /// Dates up to then, counted from the start; of meaning where a COUNT's last date is not known.
    public var count: Int
    /// Those of them that still matter, in order.
    public var dates: [LocalDate]

    public init(until: LocalDate, count: Int, dates: [LocalDate]) {
      self.until = until
      self.count = count
      self.dates = dates
    }
  }

  /// The rule in its one form of text; of any other the plan says nothing.
  public var rule: String
  public var start: LocalDate
  /// The last date of a COUNT, where it has been counted to its end.
  public var last: LocalDate?
  public var progress: Progress?

  public init(rule: String, start: LocalDate, last: LocalDate? = nil, progress: Progress? = nil) {
    self.rule = rule
    self.start = start
    self.last = last
    self.progress = progress
  }

  /// Whether it speaks of these dates: the schedule, or the catalogue's template, may have another rule by now.
  public func isOf(_ rule: RecurrenceRule, from start: LocalDate) -> Bool {
    self.start == start && self.rule == rule.description
  }
}
