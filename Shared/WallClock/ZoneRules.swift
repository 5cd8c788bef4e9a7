/// The offsets of one zone: those of 2000 to 2059 in a table, all others asked of their source when they are wanted.
///
/// A table of the whole time instead of a cache of the current stretch, because then there is nothing to invalidate, to
/// bound or to carry through a batch: an object is made once per process and zone, never changes, is read without a
/// lock, and answers in a binary search of seven steps. The most that all zones take is 600 × 120 changes × 12 bytes,
/// and as much again for their files.
///
/// WallClockTests compares all zones with Python's.
final class ZoneRules: Sendable {
  let identifier: String
  private let source: ZoneSource
  /// Unix seconds from which the offset of the same index holds; the first is ``tableStart``.
  private let starts: [Int]
  private let offsets: [Int32]

  /// 2000-01-01 and 2060-01-01.
  private static let tableStart = 946_684_800
  private static let tableEnd = 2_840_140_800
  /// How far a span outside the table reaches at most from the instant that was asked for: four days.
  private static let reach = 4 * 86_400

  init(identifier: String, source: ZoneSource) {
    self.identifier = identifier
    self.source = source
    var starts = [Self.tableStart]
    var offsets = [Int32(source.offset(at: Self.tableStart))]
    for change in source.changes(after: Self.tableStart, before: Self.tableEnd)
    where change.offset != Int(offsets[offsets.count - 1]) {
      starts.append(change.at)
      offsets.append(Int32(change.offset))
    }
    self.starts = starts
    self.offsets = offsets
  }

  /// The stretch of one offset around an instant in Unix seconds; at least two days to either side unless the offset
  /// changes there, or the table begins or ends.
  func span(at instant: Int) -> ZoneSpan {
    guard instant >= Self.tableStart, instant < Self.tableEnd else { return spanOutsideTable(at: instant) }
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= instant { low = middle } else { high = middle }
    }
    let until = low + 1 < starts.count ? starts[low + 1] : Self.tableEnd
    return ZoneSpan(offset: Int(offsets[low]), since: starts[low], until: until)
  }

  private func spanOutsideTable(at instant: Int) -> ZoneSpan {
    var (since, until) = (instant - Self.reach, instant + Self.reach)
    for change in source.changes(after: since, before: until) {
      if change.at > instant {
        until = change.at
        break
      }
      since = change.at
    }
    return ZoneSpan(offset: source.offset(at: instant), since: since, until: until)
  }
}
