import NIOCore

/// An event as bytes: once for each form that somebody on this node wants, shared by all connections.
final class EncodedEvent: Sendable {
  /// What a connection that reads the database meanwhile has to know of it.
  enum Kind: Equatable {
    /// A new notification, by its place in the user's inbox, and the unread count.
    case notification(seq: Int)
    /// What became of a notification that was sent before: a page may be older.
    case change
    /// The unread count and nothing else.
    case unread
    /// Nothing that is read from the database.
    case other
  }

  let kind: Kind
  /// Hub messages in each frame.
  let messages: Int
  private let frames: [ByteBuffer?]

  /// - Parameter frames: By ``FormSet/index(_:_:)``.
  init(_ kind: Kind, messages: Int = 1, frames: [ByteBuffer?]) {
    self.kind = kind
    self.messages = messages
    self.frames = frames
  }

  /// The notification's place in its user's inbox; nil for what is none.
  var seq: Int? {
    if case .notification(let seq) = kind { seq } else { nil }
  }

  func frame(_ index: Int) -> ByteBuffer? { frames[index] }
}
