import Glibc

/// A connection that a `TestPeer` has taken; closed when nobody has it any more.
final class TestConnection: Sendable {
  let descriptor: Int32

  /// Waits for the next connection of a listening socket.
  init(acceptedBy listener: Int32) throws(TestPeer.Failure) {
    descriptor = accept(listener, nil, nil)
    guard descriptor >= 0 else { throw TestPeer.Failure(call: "accept", number: errno) }
  }

  deinit {
    close(descriptor)
  }

  /// Reads until a request's empty line. Blocks.
  ///
  /// - Returns: What has come.
  @discardableResult
  func readRequest() throws(TestPeer.Failure) -> String {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !String(decoding: received, as: UTF8.self).contains("\r\n\r\n") {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw TestPeer.Failure(call: "read", number: errno) }
      received += buffer[..<count]
    }
    return String(decoding: received, as: UTF8.self)
  }

  func send(_ text: String) throws(TestPeer.Failure) {
    let bytes = Array(text.utf8)
    guard try send(bytes[...], flags: 0) == bytes.count else { throw TestPeer.Failure(call: "send", number: errno) }
  }

  /// Sends until nothing more has been taken for a while.
  ///
  /// - Returns: How many bytes were taken, at most as many as given.
  func sendWhileTaken(_ bytes: ArraySlice<UInt8>) throws(TestPeer.Failure) -> Int {
    var rest = bytes
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while !rest.isEmpty, poll(&polled, 1, 200) == 1 {
      rest = rest.dropFirst(try send(rest, flags: Int32(MSG_DONTWAIT)))
    }
    return bytes.count - rest.count
  }

  private func send(_ bytes: ArraySlice<UInt8>, flags: Int32) throws(TestPeer.Failure) -> Int {
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, flags | Int32(MSG_NOSIGNAL))
    }
    guard count >= 0 || errno == EAGAIN else { throw TestPeer.Failure(call: "send", number: errno) }
    return max(0, count)
  }
}
