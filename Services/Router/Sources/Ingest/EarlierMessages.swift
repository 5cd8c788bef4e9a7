/// Messages that the current catalogue does not know, by an earlier version that may, with why it does not. Pure.
struct EarlierMessages {
  private var entries: [Int: [BatchEntry<String>]] = [:]

  /// Each version with its messages, the earliest first.
  var versions: [(number: Int, entries: [BatchEntry<String>])] {
    entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  mutating func add(_ entry: BatchEntry<String>, of version: Int) {
    entries[version, default: []].append(entry)
  }
}
