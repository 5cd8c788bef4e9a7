/// What a compiled file of the IANA time zone database says of a zone's offsets: TZif, RFC 9636.
///
/// A list of changes, and the rule for all time after the last of them. Names of offsets ("CEST") and the flag for
/// daylight saving are left out: nobody here asks for them.
package struct TimeZoneFile: Hashable, Sendable {
  /// Unix seconds of the changes, each later than the one before.
  let instants: [Int]
  /// Seconds east of UTC from the change of the same index on.
  let offsets: [Int32]
  /// Before the first change: RFC 9636 3.2, "time type 0".
  let firstOffset: Int
  /// The rule after the last change, or for all time if there is none. Nil in files of version 1, and where the file
  /// leaves it open: then the last offset stays.
  let footer: PosixTimeZone?

  /// Seconds east of UTC at an instant in Unix seconds.
  package func offset(at instant: Int) -> Int {
    guard let last = instants.last, instant < last else {
      return footer?.offset(at: instant) ?? offsets.last.map { Int($0) } ?? firstOffset
    }
    let passed = count(upTo: instant)
    return passed == 0 ? firstOffset : Int(offsets[passed - 1])
  }

  /// Changes after one instant and before another, in order, each with the offset that holds from it on. Some may
  /// change nothing but a name or a flag.
  package func changes(after start: Int, before end: Int) -> [(at: Int, offset: Int)] {
    var found: [(at: Int, offset: Int)] = []
    for instant in instants[count(upTo: start)...] {
      guard instant < end else { return found }
      found.append((instant, offset(at: instant)))
    }
    if let footer { found += footer.changes(after: max(start, instants.last ?? start), before: end) }
    return found
  }

  /// How many changes there are at or before an instant.
  private func count(upTo instant: Int) -> Int {
    var (low, high) = (0, instants.count)
    while low < high {
      let middle = (low + high) / 2
      if instants[middle] <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
