import NIOCore

/// An event as bytes: once for each form that somebody on this node wants, shared by all connections.
final class EncodedEvent: Sendable {
  /// Nil for what is no notification.
  let seq: Int?
  /// Whether it tells the client its unread count.
  let tellsUnread: Bool
  /// Whether it tells what became of a notification.
  let isChange: Bool
  /// Hub messages in each frame.
  let messages: Int
  private let frames: [ByteBuffer?]

  /// - Parameter frames: By ``FormSet/index(_:_:)``.
  init(seq: Int?, tellsUnread: Bool, isChange: Bool = false, messages: Int, frames: [ByteBuffer?]) {
    self.seq = seq
    self.isChange = isChange
    self.tellsUnread = tellsUnread
    self.messages = messages
    self.frames = frames
  }

  func frame(_ index: Int) -> ByteBuffer? { frames[index] }
}
