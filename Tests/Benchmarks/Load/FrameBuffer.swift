import Glibc

/// Cuts what one WebSocket receives into frames, and finds the notifications in them.
struct FrameBuffer {
  private var bytes: [UInt8] = []

  /// Reads what has arrived.
  ///
  /// - Returns: False at the end of the connection.
  mutating func fill(from socket: Int32) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      let count = recv(socket, buffer.baseAddress, buffer.count, 0)
      guard count > 0 else { return count < 0 && errno == EINTR }
      bytes.append(contentsOf: buffer[..<count])
      return true
    }
  }

  /// The ids of the notifications in all whole frames, which are removed.
  mutating func takeNotificationIDs() -> [String] {
    var ids: [String] = []
    var start = 0
    while let frame = frame(at: start) {
      if let target = ByteSearch.find("\"ReceiveNotification\"", in: bytes, frame),
        let mark = ByteSearch.find("\"id\":\"", in: bytes, target..<frame.upperBound), mark + 42 <= frame.upperBound
      {
        ids.append(String(decoding: bytes[mark + 6..<mark + 42], as: UTF8.self))
      }
      start = frame.upperBound
    }
    bytes.removeFirst(start)
    return ids
  }

  /// The payload of the frame that begins there; nil if it is not whole. Servers don't mask.
  private func frame(at start: Int) -> Range<Int>? {
    guard bytes.count >= start + 2 else { return nil }
    let short = Int(bytes[start + 1] & 0x7f)
    let extra = short == 126 ? 2 : short == 127 ? 8 : 0
    let payload = start + 2 + extra
    guard bytes.count >= payload else { return nil }
    let length = extra == 0 ? short : bytes[start + 2..<payload].reduce(0) { $0 << 8 | Int($1) }
    return bytes.count >= payload + length ? payload..<payload + length : nil
  }
}
