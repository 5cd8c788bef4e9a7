/// Cuts a stream of bytes into the messages that each follow their length, however they were split into frames.
///
/// The length has seven bits a byte, the least significant first, in at most five bytes: 31 bits. Source:
/// HubProtocol.md of ASP.NET Core, "Binary encoding".
public struct LengthPrefixedBuffer: Sendable {
  private static let maximumPrefix = 5

  /// What has arrived of a message that is not complete, with its length.
  private var partial: [UInt8] = []

  public init() {}

  /// Takes the next message, without its length, off the front of what arrived; nil when all of it is taken in.
  ///
  /// - Parameter limit: The longest message, without its length, in bytes.
  /// - Throws: ``HubProtocolError/messageTooLarge(limit:)`` before anything of a longer message is kept.
  public mutating func next(
    from bytes: inout ArraySlice<UInt8>,
    limit: Int
  ) throws(HubProtocolError) -> ArraySlice<UInt8>? {
    if partial.isEmpty, let prefix = try Self.readPrefix(bytes, limit: limit), bytes.count >= prefix.total {
      let message = bytes.prefix(prefix.total).dropFirst(prefix.count)
      bytes = bytes.dropFirst(prefix.total)
      return message
    }
    while true {
      let prefix = try Self.readPrefix(partial[...], limit: limit)
      if let prefix, partial.count == prefix.total {
        defer { partial = [] }
        return partial.dropFirst(prefix.count)
      }
      guard !bytes.isEmpty else { return nil }
      // Byte by byte until the length is known.
      let piece = bytes.prefix(prefix.map { $0.total - partial.count } ?? 1)
      partial.append(contentsOf: piece)
      bytes = bytes.dropFirst(piece.count)
    }
  }

  /// What goes before a message of so many bytes.
  static func prefix(forLength length: Int) -> [UInt8] {
    var prefix: [UInt8] = []
    var rest = UInt(length)
    while rest >= 0x80 {
      prefix.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    prefix.append(UInt8(rest))
    return prefix
  }

  /// The bytes of a length and of the length with its message.
  private struct Prefix {
    let count: Int
    let total: Int
  }

  /// Reads the length in front; nil when some of it is missing.
  private static func readPrefix(_ bytes: ArraySlice<UInt8>, limit: Int) throws(HubProtocolError) -> Prefix? {
    var length = 0
    for (position, byte) in bytes.prefix(maximumPrefix).enumerated() {
      length |= Int(byte & 0x7F) << (7 * position)
      guard byte & 0x80 == 0 else { continue }
      guard length <= Int(Int32.max) else { throw .malformedLength }
      guard length <= limit else { throw .messageTooLarge(limit: limit) }
      return Prefix(count: position + 1, total: position + 1 + length)
    }
    guard bytes.count < maximumPrefix else { throw .malformedLength }
    return nil
  }
}
