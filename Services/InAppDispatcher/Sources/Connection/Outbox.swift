import NIOCore

/// What a connection has written and not flushed yet: all of it goes to the socket in one system call.
///
/// An event loop needs only one: connections write and flush one after the other. It keeps its memory.
final class Outbox {
  /// Above it a connection flushes before it goes on.
  private static let capacity = 64 * 1_024

  private var owner: HubConnection?
  private var bytes = ByteBuffer()

  /// Appends to what the connection has written.
  func append(_ frame: ByteBuffer, of connection: HubConnection) {
    if let owner, owner !== connection || bytes.readableBytes + frame.readableBytes > Self.capacity { owner.flush() }
    owner = connection
    bytes.writeImmutableBuffer(frame)
  }

  /// Sends what the connection has written, if it has, and forgets it.
  ///
  /// - Returns: What `send` did not take; nil if it took everything.
  func empty(of connection: HubConnection, _ send: (UnsafeRawBufferPointer) -> Int) -> ByteBuffer? {
    guard owner === connection else { return nil }
    owner = nil
    defer { bytes.clear() }
    return bytes.withUnsafeReadableBytes { all in
      let sent = send(all)
      return sent < all.count ? ByteBuffer(bytes: all[sent...]) : nil
    }
  }
}
