import NIOCore

/// Frames of a WebSocket server (RFC 6455, section 5), ready for the socket; ``WebSocketFrameReader`` reads the client's.
///
/// A server masks nothing, so one buffer serves every connection.
enum WebSocketFrames {
  enum Opcode: UInt8 {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether it says something about the WebSocket itself.
    var isControl: Bool { rawValue & 0x8 != 0 }
  }

  /// Appends a whole message as one frame.
  static func append(_ opcode: Opcode, _ payload: some Collection<UInt8>, to buffer: inout ByteBuffer) {
    buffer.reserveCapacity(minimumWritableBytes: payload.count + 10)
    buffer.writeInteger(0x80 | opcode.rawValue)
    switch payload.count {
    case ...125:
      buffer.writeInteger(UInt8(payload.count))
    case ...0xFFFF:
      buffer.writeInteger(UInt8(126))
      buffer.writeInteger(UInt16(payload.count))
    default:
      buffer.writeInteger(UInt8(127))
      buffer.writeInteger(UInt64(payload.count))
    }
    buffer.writeBytes(payload)
  }

  /// The answer to a ping.
  static func pong(_ payload: some Collection<UInt8>) -> ByteBuffer {
    var buffer = ByteBuffer()
    append(.pong, payload, to: &buffer)
    return buffer
  }

  /// The frame that begins or answers the closing handshake.
  static func close(code: UInt16) -> ByteBuffer {
    var buffer = ByteBuffer()
    append(.close, [UInt8(code >> 8), UInt8(code & 0xFF)], to: &buffer)
    return buffer
  }
}
