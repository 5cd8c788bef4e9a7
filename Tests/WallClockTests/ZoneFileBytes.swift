/// A TZif file to be taken apart in tests, put together by hand after RFC 9636, section 3.
///
/// By default that of a zone which is an hour east of UTC, and two from 1000 to 2000 seconds after 1970.
struct ZoneFileBytes {
  var version: UInt8 = UInt8(ascii: "2")
  var types: [(offset: Int32, isDaylight: UInt8, name: UInt8)] = [(3_600, 0, 0), (7_200, 1, 4)]
  var times: [Int64] = [1_000, 2_000]
  var indices: [UInt8] = [1, 0]
  var names = Array("CET\0CEST\0".utf8)
  var leapSeconds: [(at: Int64, sum: Int32)] = []
  var footer: String? = "\nCET-1\n"
  /// Overwrites a count: isutcnt, isstdcnt, leapcnt, timecnt, typecnt, charcnt.
  var counts: [Int: UInt32] = [:]

  /// Version 1 is one block; later ones begin with a small block of 32 bits that says something else.
  var bytes: [UInt8] {
    if version == 0 { return header + block(timeSize: 4) }
    let decoy = ZoneFileBytes(version: version, types: [(-36_000, 0, 0)], times: [5], indices: [0], footer: nil)
    return decoy.header + decoy.block(timeSize: 4) + header + block(timeSize: 8) + Array((footer ?? "").utf8)
  }

  private var header: [UInt8] {
    let lengths = [0, 0, leapSeconds.count, times.count, types.count, names.count]
    let counts = lengths.enumerated().flatMap { bigEndian(self.counts[$0] ?? UInt32($1)) }
    return Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15) + counts
  }

  private func block(timeSize: Int) -> [UInt8] {
    var block = times.flatMap { time($0, timeSize) } + indices
    for type in types { block += bigEndian(UInt32(bitPattern: type.offset)) + [type.isDaylight, type.name] }
    block += names
    for leap in leapSeconds { block += time(leap.at, timeSize) + bigEndian(UInt32(bitPattern: leap.sum)) }
    return block
  }

  private func time(_ time: Int64, _ size: Int) -> [UInt8] {
    size == 8 ? bigEndian(UInt64(bitPattern: time)) : bigEndian(UInt32(bitPattern: Int32(time)))
  }

  private func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
