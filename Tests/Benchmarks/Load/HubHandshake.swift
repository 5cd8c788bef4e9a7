import Foundation
import Glibc
import LocalStack

/// Opens a connection to the hub: WebSocket (RFC 6455), then the handshake of SignalR's JSON protocol.
enum HubHandshake {
  /// SignalR's ping, as a masked frame.
  static let ping = frame("{\"type\":6}\u{1e}")

  /// - Returns: The connected socket, past the handshake.
  static func open(port: Int, token: String) throws -> Int32 {
    guard let socket = LoopbackSocket.connect(port: port, timeout: 10) else {
      throw BenchError("nobody listens on port \(port)")
    }
    let request = [
      "GET /hubs/notifications HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", "Authorization: Bearer \(token)", "",
      "",
    ].joined(separator: "\r\n")
    guard LoopbackSocket.send(Array(request.utf8), on: socket) else {
      throw BenchError("the hub closed the connection")
    }
    let head = try read(socket) { $0.suffix(4).elementsEqual("\r\n\r\n".utf8) }
    guard head.starts(with: "HTTP/1.1 101".utf8) else {
      throw BenchError("the hub refused: \(String(decoding: head.prefix { $0 != 13 }, as: UTF8.self))")
    }
    guard LoopbackSocket.send(frame("{\"protocol\":\"json\",\"version\":1}\u{1e}"), on: socket) else {
      throw BenchError("the hub closed the connection")
    }
    // An unmasked frame of three bytes: {} and the separator.
    let answer = try read(socket) { $0.count == 5 }
    guard answer.suffix(3).elementsEqual("{}\u{1e}".utf8) else { throw BenchError("the hub refused the handshake") }
    return socket
  }

  private static func read(_ socket: Int32, until isWhole: ([UInt8]) -> Bool) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while !isWhole(bytes) {
      var byte: UInt8 = 0
      guard bytes.count < 16_384, recv(socket, &byte, 1, 0) == 1 else {
        throw BenchError("the hub closed the connection")
      }
      bytes.append(byte)
    }
    return bytes
  }

  /// With the mask 0, which leaves the text as it is.
  private static func frame(_ text: String) -> [UInt8] {
    [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
  }
}
