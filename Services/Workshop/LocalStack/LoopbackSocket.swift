import Glibc

/// A blocking TCP connection to 127.0.0.1, for asking whether a server is there.
package enum LoopbackSocket {
  /// - Parameter timeout: Seconds that each later read or write may take.
  /// - Returns: The descriptor, which the caller closes, or `nil` if nobody listens.
  package static func connect(port: Int, timeout: Int) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var limit = timeval(tv_sec: timeout, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in.loopback(port: port)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Sends all bytes (a few hundred at most).
  package static func send(_ bytes: [UInt8], on descriptor: Int32) -> Bool {
    Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }
}
