/// Cuts a stream of text into records that end with the byte 0x1E.
struct HubRecords {
  static let separator = "\u{1e}"

  private var buffer: [UInt8] = []

  mutating func append(_ bytes: [UInt8]) {
    buffer += bytes
  }

  /// The next whole record.
  mutating func next() -> String? {
    guard let end = buffer.firstIndex(of: 0x1e) else { return nil }
    defer { buffer.removeFirst(end + 1) }
    return String(decoding: buffer[..<end], as: UTF8.self)
  }
}
