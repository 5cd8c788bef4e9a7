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

  /// Takes the next connection, reads until the request's empty line, sends the text and closes. Blocks.
  func answerNext(_ text: String) throws(Failure) {
    let connection = accept(descriptor, nil, nil)
    guard connection >= 0 else { throw Failure(call: "accept", number: errno) }
    defer { close(connection) }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !String(decoding: received, as: UTF8.self).contains("\r\n\r\n") {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { throw Failure(call: "read", number: errno) }
      received += buffer[..<count]
    }
    let bytes = Array(text.utf8)
    guard write(connection, bytes, bytes.count) == bytes.count else { throw Failure(call: "write", number: errno) }
  }

  /// Whether somebody listens on the port.
  static func isOpen(_ port: Int) -> Bool {
    guard let descriptor = LoopbackSocket.connect(port: port, timeout: 1) else { return false }
    close(descriptor)
    return true
  }
}
