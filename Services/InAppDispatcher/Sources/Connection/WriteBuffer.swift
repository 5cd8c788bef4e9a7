import NIOCore

/// What a connection has written and not flushed yet: all of it goes to the socket in one system call.
///
/// An event loop needs only one: connections write and flush one after the other. It keeps its memory.
final class WriteBuffer {
  /// Above it a connection flushes before it goes on.
  private static let capacity = 64 * 1_024

  private var owner: HubConnection?
  private var bytes = ByteBuffer()

  /// Makes sure that the connection may append so much: flushes what it has written if there is too much of it, or what
  /// another one has left.
  ///
  /// The flush may have filled the connection's socket, which need not be clear any more.
  func makeRoom(for count: Int, of connection: HubConnection) {
    guard let owner, owner !== connection || bytes.readableBytes + count > Self.capacity else { return }
    owner.flush()
    // What its connection could not flush, because that is gone, is for nobody else.
    self.owner = nil
    bytes.clear()
  }

  /// Appends a frame, for which there is room.
  func append(_ frame: ByteBuffer, of connection: HubConnection) {
    precondition(owner == nil || owner === connection, "what one connection has written goes to no other")
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
