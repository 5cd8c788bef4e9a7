import Glibc
import NIOCore

/// A channel's socket, for writing past the channel's pipeline.
///
/// A write through the pipeline touches some ten objects. When an event goes to ten thousand idle connections, none of them
/// is in the processor's cache, and fetching them takes half as long as the system call. So what a connection sends goes to
/// its socket at once, as long as nothing waits in the channel. What the socket does not take goes through the channel, and
/// so does all that follows until the channel has written it.
///
/// Used on the channel's event loop only, and forgotten as soon as the channel closes its descriptor, or is about to: see
/// ``HubConnection/carrierClosed()``.
struct DirectSocket {
  private enum Phase {
    case clear
    /// The channel has something to write, perhaps with more behind it.
    case queueing(more: Bool)
  }

  /// Negative for a socket that is not to be used.
  private let descriptor: CInt
  private var phase = Phase.clear

  /// No socket: everything goes through the channel.
  static let none = DirectSocket(descriptor: -1)

  private init(descriptor: CInt) {
    self.descriptor = descriptor
  }

  /// - Parameter pipeline: That of the channel, which must not change what is written, as TLS does.
  init(of pipeline: ChannelPipeline.SynchronousOperations) throws {
    descriptor = try pipeline.withUnsafeTransportIfAvailable { (handle: NIOBSDSocket.Handle) in handle } ?? -1
  }

  /// Whether bytes may be sent here: the channel holds none that come before them.
  var isClear: Bool {
    if case .clear = phase { descriptor >= 0 } else { false }
  }

  /// The connection gives the channel something to write.
  mutating func beginQueueing() { phase = .queueing(more: false) }

  /// The connection gives the channel something more.
  mutating func queueMore() {
    if case .queueing = phase { phase = .queueing(more: true) }
  }

  /// The channel has written what it was given first.
  ///
  /// - Returns: Whether it was given more since.
  mutating func endQueueing() -> Bool {
    defer { phase = .clear }
    if case .queueing(let more) = phase { return more }
    return false
  }

  /// Sends what the socket takes without waiting.
  ///
  /// - Returns: How many bytes it took. An error counts as none: the channel, which gets the rest, meets it as well.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    max(0, Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)))
  }
}
