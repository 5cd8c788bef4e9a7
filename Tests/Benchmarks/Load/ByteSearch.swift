import Glibc

/// Finds text in bytes.
enum ByteSearch {
  /// Where `mark` begins first within the range.
  static func find(_ mark: StaticString, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    bytes.withUnsafeBytes { find(mark, in: $0, range) }
  }

  static func find(_ mark: StaticString, in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let length = mark.utf8CodeUnitCount
    let first = Int32(mark.utf8Start.pointee)
    var position = range.lowerBound
    while position + length <= range.upperBound,
      let found = memchr(base + position, first, range.upperBound - length + 1 - position)
    {
      if memcmp(found, mark.utf8Start, length) == 0 { return UnsafeRawPointer(found) - base }
      position = UnsafeRawPointer(found) - base + 1
    }
    return nil
  }

  static func begins(_ bytes: UnsafeRawBufferPointer, with mark: StaticString) -> Bool {
    guard let base = bytes.baseAddress, bytes.count >= mark.utf8CodeUnitCount else { return false }
    return memcmp(base, mark.utf8Start, mark.utf8CodeUnitCount) == 0
  }
}
