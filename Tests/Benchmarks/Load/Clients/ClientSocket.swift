import Glibc

/// TCP connections from 127.0.0.0/8 to 127.0.0.1 that never block.
enum ClientSocket {
  /// So many clients share an address, as they do behind a router at home; one address alone would run out of ports.
  private static let clientsPerAddress = 4

  /// Begins to connect.
  ///
  /// - Parameter client: Decides the address that the connection comes from.
  /// - Returns: The descriptor, which becomes writable when connected; nil if nobody listens.
  static func connect(port: Int, client: Int) throws -> Int32? {
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_INET, flags, 0)
    guard descriptor >= 0 else { throw BenchError("socket: \(String(cString: strerror(errno)))") }
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
    // The port is chosen when connecting: then only pairs of addresses and ports must be unique.
    set(descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT)
    let own = address(127 << 24 | 1 << 16 | UInt32(client / clientsPerAddress), port: 0)
    guard with(own, { bind(descriptor, $0, $1) }) == 0 else {
      throw BenchError("bind: \(String(cString: strerror(errno)))")
    }
    let code = with(address(127 << 24 | 1, port: port)) { Glibc.connect(descriptor, $0, $1) }
    if code == 0 || errno == EINPROGRESS { return descriptor }
    let error = errno
    close(descriptor)
    if error == ECONNREFUSED { return nil }
    throw BenchError("connect: \(String(cString: strerror(error)))")
  }

  /// Whether the attempt to connect succeeded.
  static func isConnected(_ descriptor: Int32) -> Bool {
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
    var on: Int32 = 1
    setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func address(_ host: UInt32, port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr = in_addr(s_addr: in_addr_t(host).bigEndian)
    return address
  }

  private static func with(_ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
