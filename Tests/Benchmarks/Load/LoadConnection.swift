import Glibc
import LocalStack

/// A keep-alive HTTP/1.1 connection to 127.0.0.1 that costs a send and a receive per request. For one thread.
final class LoadConnection {
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 256 * 1_024)
  private(set) var body: Range<Int> = 0..<0

  init(port: Int) throws {
    guard let descriptor = LoopbackSocket.connect(port: port, timeout: 30) else {
      throw BenchError("nobody listens on port \(port)")
    }
    self.descriptor = descriptor
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  /// Sends a request as it is and waits for the whole answer (which must state its length, or be a 204).
  ///
  /// - Returns: The status; ``text`` then is the body.
  func exchange(_ request: [UInt8]) throws -> Int {
    guard LoopbackSocket.send(request, on: descriptor) else { throw BenchError("the connection was closed") }
    var filled = 0
    var end: Int?
    while end.map({ filled < $0 }) ?? true {
      let count = buffer.withUnsafeMutableBytes { bytes in
        recv(descriptor, bytes.baseAddress?.advanced(by: filled), bytes.count - filled, 0)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw BenchError("the connection was closed in the middle of an answer") }
      filled += count
      if end == nil, let head = ByteSearch.find("\r\n\r\n", in: buffer, 0..<filled) {
        // "HTTP/1.1 204 No Content"
        let length = buffer[9..<12].elementsEqual("204".utf8) ? 0 : try contentLength(0..<head)
        body = head + 4..<head + 4 + length
        end = body.upperBound
        guard body.upperBound <= buffer.count else { throw BenchError("an answer of \(length) bytes is too long") }
      }
    }
    // "HTTP/1.1 200 OK"
    return buffer[9..<12].reduce(0) { $0 * 10 + Int($1) - 48 }
  }

  /// The body of the last answer.
  var text: String { String(decoding: buffer[body], as: UTF8.self) }

  /// The text of `length` bytes after `mark` in the body of the last answer.
  func text(after mark: StaticString, length: Int) -> String? {
    guard let start = ByteSearch.find(mark, in: buffer, body) else { return nil }
    let first = start + mark.utf8CodeUnitCount
    guard first + length <= body.upperBound else { return nil }
    return String(decoding: buffer[first..<first + length], as: UTF8.self)
  }

  private func contentLength(_ head: Range<Int>) throws -> Int {
    let found =
      ByteSearch.find("ontent-Length: ", in: buffer, head) ?? ByteSearch.find("ontent-length: ", in: buffer, head)
    guard let found else { throw BenchError("an answer does not state its length") }
    return buffer[(found + 15)...].prefix { $0 >= 48 && $0 <= 57 }.reduce(0) { $0 * 10 + Int($1) - 48 }
  }
}
