/// Reads server-sent events: the text after each `data:`, without the names of events and what else nobody asks for.
///
/// Source: HTML Living Standard, 9.2.6. Each line of data is given at once: the hub ends its messages itself.
struct EventStreamParser: Sendable {
  /// The longest line, in bytes.
  private let limit: Int
  private var line: [UInt8] = []
  private var endedWithReturn = false

  init(limit: Int = longestHubRecord + 64) {
    self.limit = limit
  }

  /// The data in what arrived, in order.
  ///
  /// - Throws: ``BelfryError`` `malformed` for a line that is too long.
  mutating func take(_ bytes: some Sequence<UInt8>) throws(BelfryError) -> [String] {
    var texts: [String] = []
    for byte in bytes {
      let isFeed = byte == 0x0A
      defer { endedWithReturn = byte == 0x0D }
      if isFeed, endedWithReturn { continue }
      if isFeed || byte == 0x0D {
        if let text = data() { texts.append(text) }
        line.removeAll(keepingCapacity: line.capacity <= 65_536)
        continue
      }
      guard line.count < limit else { throw BelfryError(.malformed, detail: "A line of the event stream is too long.") }
      line.append(byte)
    }
    return texts
  }

  private func data() -> String? {
    guard line.starts(with: "data:".utf8) else { return nil }
    let value = line.dropFirst(5)
    return String(decoding: value.first == 0x20 ? value.dropFirst() : value, as: UTF8.self)
  }
}
