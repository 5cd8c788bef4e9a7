import CCurl
import Dispatch
import Glibc

/// Watches one of libcurl's sockets for the directions it asks for. Used on its engine's queue only.
///
/// The sources watch a duplicate of the descriptor. libcurl closes its own at once, sometimes behind our back (the
/// resolver's), and the number may be reused before libdispatch has forgotten it; a duplicate is closed only after both
/// sources are gone.
final class CurlSocket {
  /// Closes the duplicate when the last source lets go of it.
  private final class Descriptor: Sendable {
    let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { close(number) }
  }

  /// A source that can be paused; a paused one has to be resumed before it is cancelled.
  private struct Watch {
    let source: any DispatchSourceProtocol
    var isActive = true
  }

  /// The directions libcurl wants now: `CURL_POLL_IN`, `_OUT`, `_INOUT` or `_NONE`.
  var wanted: Int32 = CURL_POLL_NONE

  private let descriptor: Descriptor
  private let queue: DispatchQueue
  private let isReady: @Sendable (_ direction: Int32) -> Void
  private var reading: Watch?
  private var writing: Watch?

  /// - Parameter isReady: Called on `queue` with `CURL_CSELECT_IN` or `CURL_CSELECT_OUT`.
  /// - Returns: nil when the process has no descriptor left.
  init?(_ socket: Int32, queue: DispatchQueue, isReady: @escaping @Sendable (_ direction: Int32) -> Void) {
    let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0 else { return nil }
    descriptor = Descriptor(duplicate)
    self.queue = queue
    self.isReady = isReady
  }

  /// Starts and pauses the sources so that they match `wanted`.
  func apply() {
    update(&reading, isWanted: wanted & CURL_POLL_IN != 0) {
      DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
    } direction: {
      CURL_CSELECT_IN
    }
    update(&writing, isWanted: wanted & CURL_POLL_OUT != 0) {
      DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: queue)
    } direction: {
      CURL_CSELECT_OUT
    }
  }

  func cancel() {
    for watch in [reading, writing] {
      guard let watch else { continue }
      if !watch.isActive { watch.source.resume() }
      watch.source.cancel()
    }
    reading = nil
    writing = nil
  }

  private func update(
    _ watch: inout Watch?,
    isWanted: Bool,
    make: () -> any DispatchSourceProtocol,
    direction: () -> Int32
  ) {
    if let existing = watch {
      guard existing.isActive != isWanted else { return }
      if isWanted { existing.source.resume() } else { existing.source.suspend() }
      watch?.isActive = isWanted
    } else if isWanted {
      let source = make()
      let direction = direction()
      source.setEventHandler { [isReady] in isReady(direction) }
      source.setCancelHandler { [descriptor] in withExtendedLifetime(descriptor) {} }
      source.activate()
      watch = Watch(source: source)
    }
  }
}
