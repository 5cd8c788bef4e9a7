/// A zone of the IANA time zone database: what clocks on walls show there, and when.
///
/// A value of one pointer, compared by identifier: `Europe/Kiev` and `Europe/Kyiv` are two zones with the same clocks.
/// It may be asked from anywhere at once, without a lock.
///
/// The database is the operating system's (``ZoneDatabase``), so a country's new law takes effect once the system's
/// package has been updated and the process started again. Foundation's, which is as old as the toolchain, stands in
/// for what the system does not have (``ZoneSource``).
public struct Zone: Sendable {
  let rules: ZoneRules

  public static let utc = Zone("UTC")!

  /// The offsets of zones, in seconds east of UTC: none was ever more than 16 hours away (Metlakatla, until 1867:
  /// 15:13:42), and a file that says so is damaged.
  static let offsets = -16 * 3_600...16 * 3_600

  init(rules: ZoneRules) {
    self.rules = rules
  }

  public var identifier: String { rules.identifier }

  /// The stretch of one offset around an instant in Unix seconds.
  public func span(at instant: Int) -> ZoneSpan { rules.span(at: instant) }

  /// The first instant, in Unix seconds, at which the zone's clocks show `local` or later; `local` is what they show,
  /// as if it were UTC.
  ///
  /// Of a time that comes twice that is its first occurrence; of one that is skipped, by an hour or by a whole day, the
  /// first instant after the gap.
  func instant(ofLocal local: Int) -> Int {
    // No earlier instant shows it.
    var from = local - Self.offsets.upperBound
    while true {
      let span = span(at: from)
      let candidate = max(local - span.offset, from)
      if candidate < span.until { return candidate }
      from = span.until
    }
  }
}

extension Zone: Hashable {
  // The registry keeps one object per identifier.
  public static func == (left: Zone, right: Zone) -> Bool { left.rules === right.rules }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(rules))
  }
}

extension Zone: LosslessStringConvertible {
  /// Nil unless the text is the identifier of a zone, as written there, or of an alias that the database or Foundation
  /// keeps.
  ///
  /// The first use of a zone in a process takes a fraction of a millisecond; later ones a lookup under a lock.
  public init?(_ identifier: String) {
    self.init(identifier, in: .shared)
  }

  /// The zone as another database has it. Only zones of the same registry compare equal.
  package init?(_ identifier: String, in registry: ZoneRegistry) {
    guard let rules = registry.rules(of: identifier) else { return nil }
    self.rules = rules
  }

  public var description: String { identifier }
}
