import Glibc

/// Finds text in bytes.
enum ByteSearch {
  /// Where `mark` begins first within the range.
  static func find(_ mark: StaticString, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let length = mark.utf8CodeUnitCount
    let first = Int32(mark.utf8Start.pointee)
    return bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return nil }
      var position = range.lowerBound
      while position + length <= range.upperBound,
        let found = memchr(base + position, first, range.upperBound - length + 1 - position)
      {
        if memcmp(found, mark.utf8Start, length) == 0 { return UnsafeRawPointer(found) - base }
        position = UnsafeRawPointer(found) - base + 1
      }
      return nil
    }
  }
}
