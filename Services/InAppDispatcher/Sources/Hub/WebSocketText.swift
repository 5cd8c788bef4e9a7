import NIOCore

/// Frames of a WebSocket server (RFC 6455, section 5), ready for the socket.
///
/// A server masks nothing, so one buffer serves every connection.
enum WebSocketText {
  /// Appends a text frame.
  static func append(_ payload: [UInt8], to buffer: inout ByteBuffer) {
    append(opcode: 0x1, payload, to: &buffer)
  }

  static func frame(_ payload: [UInt8]) -> ByteBuffer {
    var buffer = ByteBuffer()
    append(payload, to: &buffer)
    return buffer
  }

  /// The answer to a ping.
  static func pong(_ payload: [UInt8]) -> ByteBuffer {
    var buffer = ByteBuffer()
    append(opcode: 0xA, payload, to: &buffer)
    return buffer
  }

  /// The frame that begins or answers the closing handshake.
  static func close(code: UInt16) -> ByteBuffer {
    var buffer = ByteBuffer()
    append(opcode: 0x8, [UInt8(code >> 8), UInt8(code & 0xFF)], to: &buffer)
    return buffer
  }

  private static func append(opcode: UInt8, _ payload: [UInt8], to buffer: inout ByteBuffer) {
    buffer.reserveCapacity(minimumWritableBytes: payload.count + 10)
    buffer.writeInteger(0x80 | opcode)
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
}
