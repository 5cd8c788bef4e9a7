import NIOCore

/// What takes a connection's bytes to its client.
enum Carrier {
  /// A WebSocket or an event stream; perhaps on another event loop than the connection's.
  case channel(any NIOCore.Channel)
  case polls(LongPoll)
  /// The WebSocket is gone; a stateful connection waits for the next one.
  case none
}
