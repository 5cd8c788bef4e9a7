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

    /// The status of the close frame (section 7.4.1).
    var code: UInt16 {
      switch self {
      case .tooLong: 1009
      case .protocolError: 1002
      }
    }
  }

  private static let maximumControlLength = 125

  /// What has arrived of a frame that is not complete.
  private var partial: [UInt8] = []

  /// Takes the next frame off the front of what arrived; nil when all of it is taken in.
  ///
  /// - Parameter limit: The longest payload in bytes.
  /// - Throws: As soon as the beginning of a frame shows that it must be refused, before its payload is kept.
  mutating func next(from bytes: inout ArraySlice<UInt8>, limit: Int) throws(Violation) -> Frame? {
    // A frame that lies within the bytes, as nearly all do, is read where it is.
    guard !partial.isEmpty else {
      if let frame = try Self.frame(from: &bytes, limit: limit) { return frame }
      partial = Array(bytes)
      bytes = []
      return nil
    }
    while true {
      let missing = try Self.missing(from: partial[...], limit: limit)
      guard missing > 0 else { break }
      guard !bytes.isEmpty else { return nil }
      partial += bytes.prefix(missing)
      bytes = bytes.dropFirst(missing)
    }
    var whole = partial[...]
    partial = []
    return try Self.frame(from: &whole, limit: limit)
  }

  /// How many more bytes the frame needs, as far as its beginning tells.
  private static func missing(from bytes: ArraySlice<UInt8>, limit: Int) throws(Violation) -> Int {
    guard let header = try Header(bytes, limit: limit) else {
      return Header.length(bytes) - bytes.count
    }
    return header.length + header.payload - bytes.count
  }

  private static func frame(from bytes: inout ArraySlice<UInt8>, limit: Int) throws(Violation) -> Frame? {
    guard let header = try Header(bytes, limit: limit), bytes.count >= header.length + header.payload else {
      return nil
    }
    let start = bytes.startIndex + header.length
    let mask = bytes[(start - 4)..<start]
    var payload = Array(bytes[start..<(start + header.payload)])
    if mask.contains(where: { $0 != 0 }) {
      for place in payload.indices { payload[place] ^= mask[mask.startIndex + place & 3] }
    }
    bytes = bytes[(start + header.payload)...]
    return Frame(opcode: header.opcode, payload: payload)
  }

  /// All of a frame before its payload.
  private struct Header {
    let opcode: WebSocketFrames.Opcode
    /// Bytes of the header, the mask among them.
    let length: Int
    /// Bytes of the payload.
    let payload: Int

    /// Nil if it is not complete.
    init?(_ bytes: ArraySlice<UInt8>, limit: Int) throws(Violation) {
      guard let first = bytes.first else { return nil }
      // The reserved bits belong to extensions.
      guard first & 0x70 == 0, let opcode = WebSocketFrames.Opcode(rawValue: first & 0x0F) else { throw .protocolError }
      guard bytes.count >= 2 else { return nil }
      let second = bytes[bytes.startIndex + 1]
      // A client must mask (section 5.1).
      guard second & 0x80 != 0 else { throw .protocolError }
      // A control frame is whole and short (section 5.5).
      if opcode.isControl {
        guard first & 0x80 != 0, second & 0x7F <= maximumControlLength else { throw .protocolError }
      }
      self.opcode = opcode
      length = Self.length(bytes)
      guard bytes.count >= length else { return nil }
      let extended = bytes.dropFirst(2).prefix(length - 6)
      let payload = extended.isEmpty ? UInt64(second & 0x7F) : extended.reduce(0) { $0 << 8 | UInt64($1) }
      guard payload <= UInt64(limit) else { throw .tooLong }
      self.payload = Int(payload)
    }

    /// Bytes of the header that begins so.
    static func length(_ bytes: ArraySlice<UInt8>) -> Int {
      switch bytes.dropFirst().first.map({ $0 & 0x7F }) {
      case nil: 2
      case 126?: 8
      case 127?: 14
      default: 6
      }
    }
  }
}
