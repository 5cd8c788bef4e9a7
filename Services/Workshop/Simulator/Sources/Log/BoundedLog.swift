/// The latest records in the order of their arrival, bounded in number and bytes; what is dropped is counted.
struct BoundedLog<Record: LogRecord> {
  /// Records given up since the last ``removeAll()``.
  private(set) var dropped = 0

  /// A ring: the oldest record is at `head`.
  private var ring: [Record?] = []
  private var head = 0
  private var byteCount = 0
  private(set) var count = 0
  private let maximumCount: Int
  private let maximumBytes: Int

  init(maximumCount: Int, maximumBytes: Int) {
    self.maximumCount = maximumCount
    self.maximumBytes = maximumBytes
  }

  mutating func append(_ record: Record) {
    while count > 0, count >= maximumCount || byteCount + record.byteCount > maximumBytes { dropOldest() }
    if count == ring.count { grow() }
    ring[(head + count) % ring.count] = record
    count += 1
    byteCount += record.byteCount
  }

  mutating func removeAll() {
    ring = []
    head = 0
    count = 0
    byteCount = 0
    dropped = 0
  }

  /// Up to `limit` records that fit, oldest first, from those later than `sequence`.
  func records(after sequence: Int, limit: Int, where fits: (Record) -> Bool) -> [Record] {
    var found: [Record] = []
    var offset = firstOffset(after: sequence)
    while offset < count, found.count < limit {
      if let record = ring[(head + offset) % ring.count], fits(record) { found.append(record) }
      offset += 1
    }
    return found
  }

  /// Binary search: sequences ascend, so paging through a long log stays cheap.
  private func firstOffset(after sequence: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if let record = ring[(head + middle) % ring.count], record.sequence <= sequence {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private mutating func dropOldest() {
    byteCount -= ring[head]?.byteCount ?? 0
    ring[head] = nil
    head = (head + 1) % ring.count
    count -= 1
    dropped += 1
  }

  private mutating func grow() {
    let size = min(max(64, ring.count * 2), max(maximumCount, 1))
    var larger: [Record?] = []
    larger.reserveCapacity(size)
    for offset in 0..<count { larger.append(ring[(head + offset) % ring.count]) }
    larger.append(contentsOf: repeatElement(nil, count: size - count))
    ring = larger
    head = 0
  }
}
