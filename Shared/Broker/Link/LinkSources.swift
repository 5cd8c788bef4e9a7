import Dispatch
import Foundation

/// The dispatch sources on a connection's socket, on the owning actor's queue.
///
/// They watch duplicates of the descriptor: the library closes its own whenever it notices an error, and a source must
/// never watch a number that may already belong to another socket.
final class LinkSources {
  private let descriptor: Int32
  private let queue: DispatchQueue
  private let reading: any DispatchSourceRead
  private var writing: (any DispatchSourceWrite)?

  /// Calls `readable` on `queue` whenever something has arrived.
  init(descriptor: Int32, queue: DispatchQueue, readable: @escaping @Sendable () -> Void) throws(BrokerError) {
    self.descriptor = descriptor
    self.queue = queue
    let copy = try Self.duplicate(descriptor)
    reading = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
    reading.setEventHandler(handler: readable)
    reading.setCancelHandler { close(copy) }
    reading.resume()
  }

  /// Calls `writable` at least once on `queue` when the socket takes more, until `stopWriting`.
  func startWriting(_ writable: @escaping @Sendable () -> Void) throws(BrokerError) {
    guard writing == nil else { return }
    let copy = try Self.duplicate(descriptor)
    let source = DispatchSource.makeWriteSource(fileDescriptor: copy, queue: queue)
    source.setEventHandler(handler: writable)
    source.setCancelHandler { close(copy) }
    source.resume()
    writing = source
  }

  func stopWriting() {
    writing?.cancel()
    writing = nil
  }

  /// To be called before the object goes: sources keep their handlers until then.
  func cancel() {
    reading.cancel()
    stopWriting()
  }

  private static func duplicate(_ descriptor: Int32) throws(BrokerError) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else {
      throw BrokerError(.connectionLost, "The socket to the broker can't be watched.", detail: "errno \(errno)")
    }
    return copy
  }
}
