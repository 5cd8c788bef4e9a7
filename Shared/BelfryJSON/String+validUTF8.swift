extension String {
  /// The text that bytes are in UTF-8, or nil if they are not UTF-8.
  @inlinable
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    if #available(iOS 18, macOS 15, tvOS 18, visionOS 2, watchOS 11, *) {
      self.init(validating: bytes, as: UTF8.self)
    } else {
      self.init(unrepairedUTF8: bytes)
    }
  }

  /// The same for the systems before, in two passes: what is not UTF-8 is repaired, and so becomes something else.
  @usableFromInline
  package init?(unrepairedUTF8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}
