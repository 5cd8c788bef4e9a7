import Glibc

/// Finds text in bytes.
enum ByteSearch {
  /// Where `mark` begins first within the range.
  static func find(_ mark: StaticString, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, !range.isEmpty,
        let found = memmem(base + range.lowerBound, range.count, mark.utf8Start, mark.utf8CodeUnitCount)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}
