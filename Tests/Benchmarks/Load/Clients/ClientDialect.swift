/// What the clients of a fleet say: SignalR's JSON protocol, or bare WebSocket (RFC 6455).
struct ClientDialect: Sendable {
  /// The upgrade requests of the clients, each used for all its connections.
  let requests: [[UInt8]]
  /// The first frame after the upgrade; empty when there is none and the connection is open at once.
  let handshake: [UInt8]
  /// What a client says every 15 seconds, as SignalR's clients do; empty for nothing.
  let ping: [UInt8]

  /// A hub client for each token.
  static func signalR(port: Int, tokens: [String]) -> ClientDialect {
    ClientDialect(
      requests: tokens.map { upgrade("/hubs/notifications", port: port, ["Authorization: Bearer \($0)"]) },
      handshake: frame(.text, Array("{\"protocol\":\"json\",\"version\":1}\u{1e}".utf8)),
      ping: frame(.text, Array("{\"type\":6}\u{1e}".utf8))
    )
  }

  /// Clients that only listen. The server is expected to ping.
  static func webSocket(port: Int, path: String, count: Int) -> ClientDialect {
    ClientDialect(
      requests: Array(repeating: upgrade(path, port: port, []), count: count),
      handshake: [],
      ping: []
    )
  }

  /// Asks for what came after a `seq`.
  static func resume(after seq: Int) -> [UInt8] {
    frame(.text, Array("{\"type\":1,\"invocationId\":\"r\",\"target\":\"Resume\",\"arguments\":[\(seq)]}\u{1e}".utf8))
  }

  enum Opcode: UInt8 {
    case text = 1
    case close = 8
    case pong = 10
  }

  /// A frame as a client sends it, with the mask 0, which leaves the payload as it is.
  static func frame(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
    precondition(payload.count < 126, "longer frames have another header")
    return [0x80 | opcode.rawValue, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
  }

  private static func upgrade(_ path: String, port: Int, _ headers: [String]) -> [UInt8] {
    let lines =
      [
        "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13",
      ] + headers + ["", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }
}
