import Foundation

/// Ids of notifications, the oldest first. The newest come last, so that one which arrives costs no more than a comparison.
struct SortedIDs: Sendable {
  /// Below every id of a notification.
  static let bottom = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  private(set) var ids: [UUID] = []

  var count: Int { ids.count }

  mutating func insert(_ id: UUID) {
    if let last = ids.last, !last.precedes(id) {
      let index = lowerBound(id)
      if ids[index] != id { ids.insert(id, at: index) }
    } else {
      ids.append(id)
    }
  }

  mutating func remove(_ id: UUID) {
    let index = lowerBound(id)
    if index < ids.count, ids[index] == id { ids.remove(at: index) }
  }

  mutating func removeAll(below floor: UUID, where isGone: (UUID) -> Bool) -> [UUID] {
    let end = lowerBound(floor)
    let gone = ids[..<end].filter(isGone)
    let kept = ids[..<end].filter { !isGone($0) }
    ids.replaceSubrange(..<end, with: kept)
    return gone
  }

  /// From `floor`, which belongs to it, to `top`, which does not; nil is no limit.
  func range(from floor: UUID, to top: UUID?) -> ArraySlice<UUID> {
    let start = lowerBound(floor)
    let end = top.map(lowerBound) ?? ids.count
    return ids[start..<max(start, end)]
  }

  /// The index of the first id that is not below this one.
  private func lowerBound(_ id: UUID) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle].precedes(id) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension UUID {
  /// Whether its notification is older.
  func precedes(_ other: UUID) -> Bool {
    let (left, right) = (halves, other.halves)
    return left.high != right.high ? left.high < right.high : left.low < right.low
  }

  private var halves: (high: UInt64, low: UInt64) {
    withUnsafeBytes(of: uuid) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }
}

/// Remembers the last ones only.
struct RecentIDs: Sendable {
  private let limit: Int
  private var ids: Set<UUID> = []
  private var order: [UUID] = []
  private var oldest = 0

  init(limit: Int) {
    self.limit = limit
  }

  func contains(_ id: UUID) -> Bool { ids.contains(id) }

  /// Whether it was not there yet.
  @discardableResult
  mutating func insert(_ id: UUID) -> Bool {
    guard ids.insert(id).inserted else { return false }
    if order.count < limit {
      order.append(id)
    } else {
      ids.remove(order[oldest])
      order[oldest] = id
      oldest = (oldest + 1) % limit
    }
    return true
  }
}
