/// RFC 9636, section 3: a header and a data block with times of 32 bits; from version 2 on both again with 64 bits,
/// then a footer.
extension TimeZoneFile {
  /// The largest file that is read. Those of tz 2026f have up to 3.6 KB.
  static let largest = 65_536

  /// Nil for a file that is damaged: cut off, with counts beyond its size, changes out of order, an offset that is
  /// missing or no zone's, or a footer that cannot be read.
  ///
  /// Nil also for one that counts leap seconds (`right/Europe/Berlin`): its instants are not Unix seconds.
  package init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    guard bytes.count <= Self.largest, let header = Header(&rest) else { return nil }
    guard header.version >= 2 else {
      self.init(block: &rest, header, timeSize: 4, footer: nil)
      return
    }
    // Who reads the second block skips the first, whatever it says; `zic -b slim` leaves it empty.
    guard rest.take(header.blockSize(timeSize: 4)) != nil, let header = Header(&rest),
      let block = rest.take(header.blockSize(timeSize: 8)), rest.popFirst() == UInt8(ascii: "\n"),
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    let text = rest[..<end]
    var footer: PosixTimeZone?
    if !text.isEmpty {
      guard let rule = PosixTimeZone(text) else { return nil }
      footer = rule
    }
    var copy = block
    self.init(block: &copy, header, timeSize: 8, footer: footer)
  }

  /// The data block of a header; what follows the types (names, leap seconds, indicators) is left unread.
  private init?(block: inout ArraySlice<UInt8>, _ header: Header, timeSize: Int, footer: PosixTimeZone?) {
    guard header.leapCount == 0, header.typeCount > 0, block.count >= header.blockSize(timeSize: timeSize),
      let times = block.take(header.timeCount * timeSize), let indices = block.take(header.timeCount),
      let records = block.take(header.typeCount * 6)
    else { return nil }
    var types: [Int32] = []
    for record in 0..<header.typeCount {
      let start = records.startIndex + record * 6
      let offset = Int32(truncatingIfNeeded: Self.bigEndian(records[start..<start + 4]))
      // An octet 0 or 1 for daylight saving, and one that leads into the names.
      guard Zone.offsets.contains(Int(offset)), records[start + 4] <= 1, records[start + 5] < header.nameSize else {
        return nil
      }
      types.append(offset)
    }
    var instants: [Int] = []
    var offsets: [Int32] = []
    for (place, index) in indices.enumerated() {
      let start = times.startIndex + place * timeSize
      let word = Self.bigEndian(times[start..<start + timeSize])
      let instant = timeSize == 4 ? Int(Int32(truncatingIfNeeded: word)) : Int(Int64(bitPattern: word))
      guard Int(index) < types.count, instants.last.map({ $0 < instant }) != false else { return nil }
      instants.append(instant)
      offsets.append(types[Int(index)])
    }
    self.init(instants: instants, offsets: offsets, firstOffset: Int(types[0]), footer: footer)
  }

  static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension ArraySlice<UInt8> {
  /// The next bytes; nil if there are not as many.
  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= self.count else { return nil }
    let taken = prefix(count)
    self = dropFirst(count)
    return taken
  }
}
