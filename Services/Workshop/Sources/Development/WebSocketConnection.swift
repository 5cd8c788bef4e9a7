import Foundation
import LocalStack

/// A blocking WebSocket (RFC 6455) to 127.0.0.1, with what listening to the hub needs.
///
/// `receive` belongs to one thread; `close` may be called from any.
final class WebSocketConnection: Sendable {
  private let descriptor: Int32
  /// The hub sends less than this in one frame.
  private static let maximumFrame = 4 * 1_024 * 1_024

  /// Connects and upgrades.
  init(port: Int, path: String, token: String) throws {
    // The hub pings every 15 s, so silence for a minute is the end.
    guard let descriptor = LoopbackSocket.connect(port: port, timeout: 60) else {
      throw HubError.cannotConnect(port: port)
    }
    self.descriptor = descriptor
    let key = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
    let request = [
      "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13", "Authorization: Bearer \(token)", "", "",
    ].joined(separator: "\r\n")
    guard LoopbackSocket.send(Array(request.utf8), on: descriptor) else { throw HubError.closed }
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard head.count < 16_384 else { throw HubError.upgradeRefused("endless headers") }
      head += try read(1)
    }
    let status = String(decoding: head.prefix { $0 != 13 }, as: UTF8.self)
    guard status.hasPrefix("HTTP/1.1 101") else { throw HubError.upgradeRefused(status) }
  }

  deinit { Glibc.close(descriptor) }

  /// Sends a text message of at most 65,535 bytes.
  func send(_ text: String) throws {
    try send(opcode: 1, Array(text.utf8))
  }

  /// Waits for the next piece of a message; answers pings on the way.
  func receive() throws -> [UInt8] {
    while true {
      let head = try read(2)
      var length = Int(head[1] & 0x7f)
      if length >= 126 { length = try read(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) } }
      guard (0...Self.maximumFrame).contains(length) else { throw HubError.closed }
      let payload = try read(length)
      switch head[0] & 0x0f {
      case 0, 1, 2: return payload
      case 8: throw HubError.closed
      case 9: try send(opcode: 10, payload)
      default: continue
      }
    }
  }

  /// Ends the connection; a waiting `receive` throws.
  func close() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func send(opcode: UInt8, _ payload: [UInt8]) throws {
    precondition(payload.count <= 65_535, "only short messages are sent")
    // Clients mask (RFC 6455, section 5.3).
    let mask = (0..<4).map { _ in UInt8.random(in: 0...255) }
    let masked = payload.enumerated().map { $1 ^ mask[$0 % 4] }
    let length: [UInt8] =
      payload.count < 126
      ? [0x80 | UInt8(payload.count)] : [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    let frame: [UInt8] = [0x80 | opcode] + length + mask + masked
    guard LoopbackSocket.send(frame, on: descriptor) else { throw HubError.closed }
  }

  private func read(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, 0)
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw HubError.closed }
      filled += got
    }
    return bytes
  }
}
