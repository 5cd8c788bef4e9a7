/// The name that somebody probably meant who wrote one that does not exist.
public enum NearestName {
  /// How many characters a text may have to be compared at all: what a comparison costs grows with its square.
  static let longest = 64

  /// The one of `names` that `text` is nearly: without regard to case, at most two letters wrong, left out, too many or swapped, or a
  /// third of them where the text is long (one where it has fewer than four). Of several that are as near, the first in the alphabet,
  /// so that the same mistake gets the same advice. `text` itself is no advice.
  public static func of(_ text: String, among names: some Sequence<String>) -> String? {
    guard let written = letters(text) else { return nil }
    var comparison = Comparison(to: written)
    var limit = max(written.count / 3, written.count < 4 ? 1 : 2)
    var nearest: String?
    for name in names where name != text {
      guard let meant = letters(name), let distance = comparison.distance(meant, atMost: min(limit, meant.count - 1))
      else { continue }
      if distance < limit || nearest.map({ name < $0 }) ?? true {
        limit = distance
        nearest = name
      }
    }
    return nearest
  }

  /// A text in small letters, as scalars; nil for an empty one and one too long to be compared.
  private static func letters(_ text: String) -> [UInt32]? {
    // Names are ASCII, nearly all of them, and a service may be asked about a thousand in one call.
    if text.utf8.count <= longest, text.utf8.allSatisfy({ $0 < 0x80 }) {
      return text.isEmpty ? nil : text.utf8.map { (0x41...0x5A).contains($0) ? UInt32($0) | 0x20 : UInt32($0) }
    }
    guard text.utf8.count <= 4 * longest else { return nil }
    let letters = text.lowercased().unicodeScalars.map(\.value)
    return letters.count <= longest ? letters : nil
  }

  /// Compares names with one text, in rows that are allocated once.
  private struct Comparison {
    private let text: [UInt32]
    private var beforeLast: [Int] = []
    private var last: [Int] = []
    private var current: [Int] = []

    init(to text: [UInt32]) { self.text = text }

    /// How many letters are to be replaced, added, removed or swapped with their neighbour to make one of the other; nil beyond `limit`.
    mutating func distance(_ name: [UInt32], atMost limit: Int) -> Int? {
      guard abs(text.count - name.count) <= limit else { return nil }
      last.removeAll(keepingCapacity: true)
      last.append(contentsOf: 0...name.count)
      var leastOfLast = 0
      for row in text.indices {
        current.removeAll(keepingCapacity: true)
        current.append(row + 1)
        var least = row + 1
        for column in name.indices {
          var cost = min(last[column] + (text[row] == name[column] ? 0 : 1), last[column + 1] + 1, current[column] + 1)
          if row > 0, column > 0, text[row] == name[column - 1], text[row - 1] == name[column] {
            cost = min(cost, beforeLast[column - 1] + 1)
          }
          current.append(cost)
          least = min(least, cost)
        }
        // A swap reaches back over one row: only two in a row that are beyond the limit cannot come back under it.
        if least > limit, leastOfLast > limit { return nil }
        leastOfLast = least
        (beforeLast, last, current) = (last, current, beforeLast)
      }
      return last[name.count] <= limit ? last[name.count] : nil
    }
  }
}

extension NearestName {
  /// What follows "'DinerIsReady' is not in the catalogue": `; did you mean DinnerIsReady?`, or nothing.
  public static func advice(_ text: String, among names: some Sequence<String>) -> String {
    of(text, among: names).map { "; did you mean \($0)?" } ?? ""
  }
}
