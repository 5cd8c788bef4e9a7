import CEpoll
import Glibc

/// epoll(7), edge-triggered: tells one thread which of thousands of sockets something happened to.
final class EventPoll: Sendable {
  /// The tag of the bell's own events.
  static let bellTag = UInt64.max

  private let descriptor: Int32
  private let bell: Int32

  init() throws {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0, bell >= 0 else { throw BenchError("epoll: \(String(cString: strerror(errno)))") }
    try add(bell, tag: Self.bellTag)
  }

  deinit {
    close(bell)
    close(descriptor)
  }

  /// Watches a socket until it is closed: each time something comes, or can be sent again.
  func add(_ socket: Int32, tag: UInt64) throws {
    var event = epoll_event(
      events: EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue,
      data: epoll_data_t(u64: tag)
    )
    guard epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0 else {
      throw BenchError("epoll: \(String(cString: strerror(errno)))")
    }
  }

  /// Waits for something to happen.
  ///
  /// - Returns: How many events are at the beginning of `events`.
  func wait(into events: inout [epoll_event], atMost milliseconds: Int32) -> Int {
    // Interrupted by a signal counts as nothing.
    max(0, Int(epoll_wait(descriptor, &events, Int32(events.count), milliseconds)))
  }

  /// Makes the waiting thread look; from any thread.
  func ring() {
    eventfd_write(bell, 1)
  }
}
