/// One WebSocket frame of a server, which doesn't mask (RFC 6455, section 5.2) and, of those measured here, doesn't fragment.
struct ServerFrame {
  let opcode: UInt8
  let payload: Range<Int>

  /// The frame that begins there; nil if it is not whole.
  init?(in bytes: UnsafeRawBufferPointer, at start: Int) {
    guard bytes.count >= start + 2 else { return nil }
    opcode = bytes[start] & 0x0f
    let short = Int(bytes[start + 1] & 0x7f)
    let extra = short == 126 ? 2 : short == 127 ? 8 : 0
    let first = start + 2 + extra
    guard bytes.count >= first else { return nil }
    let length = extra == 0 ? short : bytes[start + 2..<first].reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count - first >= length else { return nil }
    payload = first..<first + length
  }
}
