/// Cuts a stream of bytes into the records that 0x1E ends, however they were split into frames.
public struct RecordBuffer: Sendable {
  /// The byte after every JSON message and handshake.
  public static let separator: UInt8 = 0x1E

  /// What has arrived of a record that is not complete.
  private var partial: [UInt8] = []

  public init() {}

  /// Takes the next record, without its separator, off the front of what arrived; nil when all of it is taken in.
  ///
  /// - Parameter limit: The longest record, without its separator, in bytes.
  /// - Throws: ``HubProtocolError/messageTooLarge(limit:)`` as soon as a record cannot fit any more.
  public mutating func next(
    from bytes: inout ArraySlice<UInt8>,
    limit: Int
  ) throws(HubProtocolError) -> ArraySlice<UInt8>? {
    let end = bytes.firstIndex(of: Self.separator)
    let piece = bytes[..<(end ?? bytes.endIndex)]
    guard partial.count + piece.count <= limit else { throw .messageTooLarge(limit: limit) }
    guard let end else {
      partial.append(contentsOf: piece)
      bytes = []
      return nil
    }
    bytes = bytes[(end + 1)...]
    guard !partial.isEmpty else { return piece }
    partial.append(contentsOf: piece)
    defer { partial = [] }
    return partial[...]
  }
}
