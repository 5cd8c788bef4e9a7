/// A stretch of time throughout which a zone's clocks keep one offset from UTC.
///
/// It may end before the offset changes (at the borders of ``ZoneRules``' table), but never after.
public struct ZoneSpan: Hashable, Sendable {
  /// Seconds east of UTC.
  public let offset: Int
  /// Unix seconds: the offset holds from the first on, up to but not at the second.
  public let since: Int
  public let until: Int
}
