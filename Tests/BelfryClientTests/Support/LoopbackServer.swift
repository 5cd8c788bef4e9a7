import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A server of HTTP on a free port of this machine, as far as tests of the transports need it: one request for each connection.
final class LoopbackServer: Sendable {
  /// A connection whose request has been read.
  struct Connection: Sendable {
    let request: String
    fileprivate let socket: Int32

    /// False once the client is gone.
    @discardableResult
    func write(_ text: String) -> Bool {
      var bytes = ArraySlice(text.utf8)
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Self.flags) }
        guard count > 0 else { return false }
        bytes = bytes.dropFirst(count)
      }
      return true
    }

    /// Waits until the client has closed its side.
    func waitForEnd() {
      var byte: UInt8 = 0
      while recv(socket, &byte, 1, 0) > 0 {}
    }

    #if canImport(Darwin)
      private static let flags: Int32 = 0
    #else
      private static let flags = Int32(MSG_NOSIGNAL)
    #endif
  }

  let port: UInt16
  private let listener: Int32

  /// - Parameter answer: Runs on a thread of its own; the connection ends with it.
  init(_ answer: @escaping @Sendable (Connection) -> Void) throws {
    #if canImport(Darwin)
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      while true {
        let socket = accept(listener, nil, nil)
        if socket < 0 { return }
        Thread.detachNewThread {
          if let request = Self.read(socket) { answer(Connection(request: request, socket: socket)) }
          close(socket)
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  func url(_ path: String) throws -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw POSIXError(.EINVAL) }
    return url
  }

  /// The head and the body of a request.
  private static func read(_ socket: Int32) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let head = text.range(of: "\r\n\r\n") {
        let length = text.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
          .flatMap { Int($0.dropFirst(16)) }
        if text[head.upperBound...].utf8.count >= length ?? 0 { return text }
      }
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}
