/// A zone of the IANA time zone database: what clocks on walls show there, and when.
///
/// A value of one pointer, compared by identifier: `Europe/Kiev` and `Europe/Kyiv` are two zones with the same
/// clocks. It
/// may be asked from anywhere at once, without a lock.
///
/// The database is the one within Foundation (`TimeZone.timeZoneDataVersion`), so a country's new law needs a new
/// toolchain.
public struct Zone: Sendable {
  let rules: ZoneRules

  public static let utc = Zone("UTC")!

  init(rules: ZoneRules) {
    self.rules = rules
  }

  public var identifier: String { rules.identifier }

  /// The stretch of one offset around an instant in Unix seconds.
  public func span(at instant: Int) -> ZoneSpan { rules.span(at: instant) }

  /// The first instant, in Unix seconds, at which the zone's clocks show `local` or later; `local` is what they
  /// show, as
  /// if it were UTC.
  ///
  /// Of a time that comes twice that is its first occurrence; of one that is skipped, by an hour or by a whole day, the
  /// first instant after the gap.
  func instant(ofLocal local: Int) -> Int {
    // No zone was ever more than 16 hours from UTC (Metlakatla, until 1867: 15:13:42), so no earlier instant shows it.
    var from = local - 16 * 3_600
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
  /// Nil unless the text is the identifier of a zone, as written there, or of an alias that the database keeps.
  ///
  /// The first use of a zone in a process takes a fraction of a millisecond; later ones a lookup under a lock.
  public init?(_ identifier: String) {
    guard let rules = ZoneRegistry.shared.rules(of: identifier) else { return nil }
    self.rules = rules
  }

  public var description: String { identifier }
}
