extension TimeZoneFile {
  /// RFC 9636, section 3.1: 44 octets before each of the two data blocks.
  ///
  ///     magic "TZif" | version | 15 unused | isutcnt | isstdcnt | leapcnt | timecnt | typecnt | charcnt
  ///
  /// Six numbers of four octets. Versions are upward compatible (section 1), so all from 2 on are read alike, also ones
  /// that do not exist yet. What 3 and 4 added is in the footer (times beyond a day, see ``PosixRule``) and in the leap
  /// seconds, which are refused.
  struct Header {
    /// 1, 2, 3, 4 or later.
    let version: Int
    let utcCount: Int
    let standardCount: Int
    let leapCount: Int
    let timeCount: Int
    let typeCount: Int
    /// How many octets the offsets' names take.
    let nameSize: Int

    /// Takes a header off the bytes. Nil if they are something else, or if a number is beyond every file that is read:
    /// so no sum or product of them is too large for an `Int`.
    init?(_ rest: inout ArraySlice<UInt8>) {
      guard rest.take(4).map({ $0.elementsEqual("TZif".utf8) }) == true, let digit = rest.popFirst(),
        rest.take(15) != nil
      else { return nil }
      switch digit {
      case 0: version = 1
      case UInt8(ascii: "2")...UInt8(ascii: "9"): version = Int(digit - UInt8(ascii: "0"))
      default: return nil
      }
      var counts: [Int] = []
      for _ in 0..<6 {
        guard let bytes = rest.take(4) else { return nil }
        let count = TimeZoneFile.bigEndian(bytes)
        guard count <= UInt64(TimeZoneFile.largest) else { return nil }
        counts.append(Int(count))
      }
      utcCount = counts[0]
      standardCount = counts[1]
      leapCount = counts[2]
      timeCount = counts[3]
      typeCount = counts[4]
      nameSize = counts[5]
    }

    /// The length of the block that follows, with times of 4 or 8 octets (section 3.2).
    func blockSize(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + nameSize + leapCount * (timeSize + 4) + standardCount + utcCount
    }
  }
}
