import Glibc
import LocalStack
import Testing

/// Accepts whoever connects as PostgreSQL does, and answers the first request with a FATAL error and a reset, both in the
/// socket before the client looks: so ends a backend that is terminated while a request is on its way to it.
///
/// Source: https://www.postgresql.org/docs/15/protocol-flow.html
final class FatalServer: Sendable {
  let port: Int
  private let listener: Int32

  init() throws {
    port = try FreePort.find()
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) == 0 }
    }
    try #require(isBound && listen(listener, 16) == 0)
    var thread = pthread_t()
    let server = Unmanaged.passRetained(self)
    let isStarted = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        Unmanaged<FatalServer>.fromOpaque(context).takeRetainedValue().serve()
        return nil
      },
      server.toOpaque()
    )
    try #require(isStarted == 0)
    pthread_detach(thread)
  }

  /// No more connections; the thread ends.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func serve() {
    while case let connection = accept(listener, nil, nil), connection >= 0 { answer(connection) }
    close(listener)
  }

  private func answer(_ connection: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    func reply(_ next: [UInt8]) -> Bool {
      recv(connection, &bytes, bytes.count, 0) > 0 && send(connection, next, next.count, 0) == next.count
    }
    let welcome: [UInt8] = [0x52, 0, 0, 0, 8, 0, 0, 0, 0] + [0x5A, 0, 0, 0, 5, 0x49]  // AuthenticationOk, ReadyForQuery
    let fields = "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"
    let error: [UInt8] = [0x45, 0, 0, 0, UInt8(4 + fields.utf8.count)] + fields.utf8
    _ = reply(welcome) && reply(error)
    var reset = linger(l_onoff: 1, l_linger: 0)
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
    close(connection)
  }
}
