/// Cuts what a WebSocket client sends into frames and takes their masks off (RFC 6455, section 5.2), however the bytes arrive.
struct WebSocketFrameReader {
  struct Frame: Equatable {
    let opcode: WebSocketFrames.Opcode
    let payload: [UInt8]
  }

  /// Why nothing more can be read.
  enum Violation: Error, Equatable {
    case tooLong
    /// The client broke RFC 6455, or uses an extension that was not agreed on.
    case protocolError
  }

  private static let maximumControlLength = 125

  /// What has arrived and is not read yet, behind what is.
  private var bytes: [UInt8] = []
  /// Where the next frame begins.
  private var position = 0
  /// Whether a message has begun and not ended: the next frame carries it on.
  private var isInMessage = false

  mutating func append(_ new: some Collection<UInt8>) {
    bytes.append(contentsOf: new)
  }

  /// Takes the next frame; nil as long as it is not complete.
  ///
  /// - Parameter limit: The longest payload in bytes.
  /// - Throws: As soon as the beginning of a frame shows that it must be refused: what waits for the rest of a frame is never
  ///   longer than a frame may be.
  mutating func next(limit: Int) throws(Violation) -> Frame? {
    let waiting = bytes.count - position
    guard let header = try Header(bytes[position...], continues: isInMessage, limit: limit),
      waiting >= header.length + header.payload
    else {
      // An idle connection keeps no memory.
      if position == bytes.count { bytes = [] } else { bytes.removeFirst(position) }
      position = 0
      return nil
    }
    let start = position + header.length
    position = start + header.payload
    if !header.opcode.isControl { isInMessage = !header.isFinal }
    var payload = Array(bytes[start..<position])
    let mask = Array(bytes[(start - 4)..<start])
    for place in payload.indices { payload[place] ^= mask[place & 3] }
    return Frame(opcode: header.opcode, payload: payload)
  }

  /// All of a frame before its payload.
  private struct Header {
    let opcode: WebSocketFrames.Opcode
    /// Whether its message ends with it.
    let isFinal: Bool
    /// Bytes of the header, the mask among them.
    let length: Int
    /// Bytes of the payload.
    let payload: Int

    /// Nil if it is not complete.
    ///
    /// - Parameter continues: Whether a message is under way.
    init?(_ bytes: ArraySlice<UInt8>, continues: Bool, limit: Int) throws(Violation) {
      guard let first = bytes.first else { return nil }
      // The reserved bits belong to extensions.
      guard first & 0x70 == 0, let opcode = WebSocketFrames.Opcode(rawValue: first & 0x0F) else {
        throw .protocolError
      }
      // A message begins with its kind and is not interleaved with another (section 5.4).
      guard opcode.isControl || (opcode == .continuation) == continues else { throw .protocolError }
      guard bytes.count >= 2 else { return nil }
      let second = bytes[bytes.startIndex + 1]
      // A client must mask (section 5.1).
      guard second & 0x80 != 0 else { throw .protocolError }
      let short = second & 0x7F
      // A control frame is whole and short (section 5.5).
      if opcode.isControl {
        guard first & 0x80 != 0, short <= maximumControlLength else { throw .protocolError }
      }
      // Like the original hub, this one does not insist on the shortest way to write a length.
      let width = short == 127 ? 8 : short == 126 ? 2 : 0
      guard bytes.count >= 2 + width + 4 else { return nil }
      let long = bytes.dropFirst(2).prefix(width).reduce(0) { $0 << 8 | UInt64($1) }
      let payload = width == 0 ? UInt64(short) : long
      guard payload <= UInt64(Int64.max) else { throw .protocolError }
      guard payload <= UInt64(limit) else { throw .tooLong }
      self.opcode = opcode
      isFinal = first & 0x80 != 0
      self.payload = Int(payload)
      length = 2 + width + 4
    }
  }
}
