/// Cuts a stream of bytes into the records that 0x1E ends, however they were split into frames.
public struct RecordBuffer: Sendable {
  /// The byte after every JSON message and handshake.
  public static let separator: UInt8 = 0x1E

  /// What has arrived of a record that is not complete.
  private var partial: [UInt8] = []
  private let limit: Int

  /// - Parameter limit: The longest record, without its separator, in bytes.
  public init(limit: Int) {
    self.limit = limit
  }

  /// The records that these bytes complete, without their separators, in order.
  ///
  /// - Throws: ``HubProtocolError/messageTooLarge(limit:)`` as soon as a record cannot fit any more.
  public mutating func append(_ bytes: [UInt8]) throws(HubProtocolError) -> [ArraySlice<UInt8>] {
    var records: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: Self.separator) {
      let record = rest[..<end]
      guard partial.count + record.count <= limit else { throw .messageTooLarge(limit: limit) }
      if partial.isEmpty {
        records.append(record)
      } else {
        records.append((partial + record)[...])
        partial = []
      }
      rest = rest[(end + 1)...]
    }
    guard partial.count + rest.count <= limit else { throw .messageTooLarge(limit: limit) }
    partial.append(contentsOf: rest)
    return records
  }
}
