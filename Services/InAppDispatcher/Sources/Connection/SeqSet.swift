/// Which notifications, by their `seq`, a connection has got: what came live is not given again by `Resume`,
/// and what the broker delivers twice is written once.
///
/// Nearly always one range that grows at its end; it costs no allocation then. Gaps are remembered up to a limit, beyond
/// which the lowest range is forgotten: then something may come twice, but nothing is lost.
struct SeqSet {
  private static let maximumRanges = 64

  /// The highest range; empty while `lower > upper`.
  private var lower: Int = 1
  private var upper: Int = 0
  /// The others, ascending.
  private var others: [ClosedRange<Int>] = []

  /// The highest number; nil for an empty set.
  var highest: Int? { lower <= upper ? upper : nil }

  func contains(_ number: Int) -> Bool {
    if lower <= number, number <= upper { return true }
    return others.contains { $0.contains(number) }
  }

  /// The last number of the range that holds this one; the number itself if none does.
  func end(of number: Int) -> Int {
    if lower <= number, number <= upper { return upper }
    return others.first { $0.contains(number) }?.upperBound ?? number
  }

  /// - Returns: False if it was in the set.
  mutating func insert(_ number: Int) -> Bool {
    if lower > upper {
      (lower, upper) = (number, number)
      return true
    }
    if number == upper + 1 {
      upper = number
      return true
    }
    guard !contains(number) else { return false }
    insert(number...number)
    return true
  }

  mutating func insert(_ range: ClosedRange<Int>) {
    var merged = range
    var all = others
    if lower <= upper { all.append(lower...upper) }
    var kept: [ClosedRange<Int>] = []
    for other in all {
      let touches =
        other.lowerBound <= merged.upperBound || other.lowerBound == merged.upperBound &+ 1
      if touches, merged.lowerBound <= other.upperBound || merged.lowerBound == other.upperBound &+ 1 {
        merged = min(merged.lowerBound, other.lowerBound)...max(merged.upperBound, other.upperBound)
      } else {
        kept.append(other)
      }
    }
    kept.append(merged)
    kept.sort { $0.lowerBound < $1.lowerBound }
    if kept.count > Self.maximumRanges { kept.removeFirst() }
    let last = kept.removeLast()
    (lower, upper) = (last.lowerBound, last.upperBound)
    others = kept
  }
}
