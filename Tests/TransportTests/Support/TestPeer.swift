import Glibc
import LocalStack

/// A plain TCP socket on 127.0.0.1, for peers that behave badly on purpose.
final class TestPeer: Sendable {
  struct Failure: Error {
    let call: String
    let number: Int32
  }

  let port: Int
  private let descriptor: Int32

  /// Listens on a free port. Unless `answerNext` is called, connections succeed and nobody ever answers.
  init() throws(Failure) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in.loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else { throw Failure(call: "listen", number: errno) }
    self.descriptor = descriptor
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit {
    close(descriptor)
  }

  /// Takes the next connection and reads its first request. Blocks.
  func next() throws(Failure) -> TestConnection {
    let connection = try TestConnection(acceptedBy: descriptor)
    try connection.readRequest()
    return connection
  }

  /// Takes the next connection, reads until the request's empty line, sends the text and closes. Blocks.
  ///
  /// - Returns: The request.
  @discardableResult
  func answerNext(_ text: String) throws(Failure) -> String {
    let connection = try TestConnection(acceptedBy: descriptor)
    let request = try connection.readRequest()
    try connection.send(text)
    return request
  }

  /// Answers that many requests with the text, on whatever connections they come. Blocks.
  ///
  /// - Returns: How many connections were opened.
  func answer(_ count: Int, with text: String) throws(Failure) -> Int {
    var connections: [TestConnection] = []
    var answered = 0
    while answered < count {
      var polled = ([descriptor] + connections.map(\.descriptor)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&polled, nfds_t(polled.count), 10_000) > 0 else { throw Failure(call: "poll", number: errno) }
      for (connection, state) in zip(connections, polled.dropFirst()) where state.revents != 0 {
        try connection.readRequest()
        try connection.send(text)
        answered += 1
      }
      if polled[0].revents != 0 { connections.append(try TestConnection(acceptedBy: descriptor)) }
    }
    return connections.count
  }

  /// Whether somebody listens on the port.
  static func isOpen(_ port: Int) -> Bool {
    guard let descriptor = LoopbackSocket.connect(port: port, timeout: 1) else { return false }
    close(descriptor)
    return true
  }
}
