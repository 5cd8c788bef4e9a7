import DequeModule

/// The deliveries of one connection that are not settled yet, by their tags 1, 2, 3, …; decides which acknowledgements
/// to send.
///
/// Once everything up to a tag is done, one `multiple` covers it all. What is done beyond a gap is acknowledged one by
/// one, so that a slow message keeps no others from making room in the prefetch.
struct DeliveryWindow {
  private enum Status {
    case open
    /// Acknowledged by the consumer, not told to the broker yet.
    case acknowledged
    /// The broker knows.
    case settled
  }

  private var statuses: Deque<Status> = []
  /// The tag of `statuses[0]`.
  private var first: UInt64 = 1

  /// How many tags are tracked: those from the oldest unsettled one on.
  var count: Int { statuses.count }

  /// Notes a delivery. Tags come without gaps.
  mutating func received(_ tag: UInt64) {
    if statuses.isEmpty { first = tag }
    statuses.append(.open)
  }

  /// Notes that these are done; returns what to tell the broker, in order. Tags that aren't open are ignored.
  mutating func acknowledge(_ tags: some Collection<UInt64>) -> [Acknowledgement] {
    for tag in tags {
      guard let index = index(of: tag), statuses[index] == .open else { continue }
      statuses[index] = .acknowledged
    }
    var result: [Acknowledgement] = []
    var last: UInt64?
    var covered = 0
    while let status = statuses.first, status != .open {
      if status == .acknowledged {
        last = first
        covered += 1
      }
      statuses.removeFirst()
      first += 1
    }
    if let last { result.append(Acknowledgement(tag: last, multiple: covered > 1)) }
    for tag in tags {
      guard let index = index(of: tag), statuses[index] == .acknowledged else { continue }
      statuses[index] = .settled
      result.append(Acknowledgement(tag: tag, multiple: false))
    }
    return result
  }

  /// Notes that one is to be rejected; false if it isn't open.
  mutating func reject(_ tag: UInt64) -> Bool {
    guard let index = index(of: tag), statuses[index] == .open else { return false }
    statuses[index] = .settled
    while statuses.first == .settled {
      statuses.removeFirst()
      first += 1
    }
    return true
  }

  private func index(of tag: UInt64) -> Int? {
    guard tag >= first, tag < first + UInt64(statuses.count) else { return nil }
    return Int(tag - first)
  }
}
