import DequeModule

/// The publishes sent and not yet confirmed, by their delivery tags 1, 2, 3, …
struct ConfirmWindow<Entry> {
  private var entries: Deque<Entry?> = []
  /// The tag of `entries[0]`.
  private var first: UInt64 = 1
  /// How many await their confirm.
  private(set) var count = 0

  var nextTag: UInt64 { first + UInt64(entries.count) }

  mutating func append(_ entry: Entry) {
    entries.append(entry)
    count += 1
  }

  /// Changes the entry of a tag, if it is still awaited.
  mutating func update(_ tag: UInt64, _ change: (inout Entry) -> Void) {
    guard let index = index(of: tag), entries[index] != nil else { return }
    change(&entries[index]!)
  }

  /// Changes the oldest entries first, until `change` says stop by returning false.
  mutating func updateOldest(_ change: (inout Entry) -> Bool) {
    for index in entries.indices where entries[index] != nil {
      guard change(&entries[index]!) else { return }
    }
  }

  /// Takes out the entry of a tag, or with `multiple` every entry up to and including it.
  mutating func settle(_ tag: UInt64, multiple: Bool, _ body: (Entry) -> Void) {
    guard let last = index(of: tag) else { return }
    for index in (multiple ? 0 : last)...last {
      guard let entry = entries[index] else { continue }
      entries[index] = nil
      count -= 1
      body(entry)
    }
    while let oldest = entries.first, oldest == nil {
      entries.removeFirst()
      first += 1
    }
  }

  /// Takes out everything; the tags of a new connection begin at 1 again.
  mutating func removeAll() -> [Entry] {
    let all = entries.compactMap(\.self)
    self = ConfirmWindow()
    return all
  }

  private func index(of tag: UInt64) -> Int? {
    guard tag >= first, tag < nextTag else { return nil }
    return Int(tag - first)
  }
}
