import NIOCore

/// A channel's way to its connection, which lives on this event loop or, if it was taken up again, on another one.
enum ConnectionReference {
  case here(HubConnection)
  case elsewhere(ConnectionID, HubLoop, attachment: UInt32)

  func receive(_ bytes: [UInt8]) {
    perform { $0.receive(bytes, attachment: $1) }
  }

  func setBlocked(_ isBlocked: Bool) {
    perform { $0.setBlocked(isBlocked, attachment: $1) }
  }

  func refuse(_ violation: WebSocketFrameReader.Violation) {
    perform { $0.refuse(violation, attachment: $1) }
  }

  func clientClosed() {
    perform { $0.clientClosed(attachment: $1) }
  }

  /// NIO has just closed the channel's socket. Only a connection on the channel's own event loop writes to it directly.
  func carrierClosed() {
    if case .here(let connection) = self { connection.carrierClosed() }
  }

  func carrierEnded() {
    perform { $0.carrierEnded(attachment: $1) }
  }

  /// Sends a frame of the WebSocket's own.
  func reply(_ frame: ByteBuffer, on channel: any NIOCore.Channel) {
    switch self {
    case .here(let connection): connection.reply(frame)
    case .elsewhere: channel.writeAndFlush(frame, promise: nil)
    }
  }

  /// Whether the connection has sent its close frame, as far as is known here.
  var hasSaidGoodbye: Bool {
    if case .here(let connection) = self { !connection.isOpen } else { false }
  }

  private func perform(_ body: @escaping @Sendable (HubConnection, UInt32) -> Void) {
    switch self {
    case .here(let connection): body(connection, 0)
    case .elsewhere(let id, let loop, let attachment): loop.with(id) { body($0, attachment) }
    }
  }
}
