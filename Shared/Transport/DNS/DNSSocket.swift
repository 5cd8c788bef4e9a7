import Glibc

/// A connected socket to a name server, closed with the last reference. Its calls block, until the deadline at most.
final class DNSSocket {
  private let descriptor: Int32
  private let deadline: ContinuousClock.Instant

  /// - Parameter isStream: TCP, else UDP. The kernel lets through what the server itself sends.
  init(_ server: DNSClient.Server, isStream: Bool, deadline: ContinuousClock.Instant) throws(DNSError) {
    let family = server.address.isIPv4 ? AF_INET : AF_INET6
    let kind = isStream ? SOCK_STREAM : SOCK_DGRAM
    let descriptor = socket(family, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw .unreachable }
    self.descriptor = descriptor
    self.deadline = deadline
    guard Self.connect(descriptor, to: server) == 0 || errno == EINPROGRESS else { throw .unreachable }
    if isStream {
      try wait(for: POLLOUT)
      var (problem, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &length) == 0, problem == 0 else {
        throw .unreachable
      }
    }
  }

  deinit {
    close(descriptor)
  }

  /// Questions are small: the socket takes one at once.
  func send(_ bytes: [UInt8]) throws(DNSError) {
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw .unreachable
    }
  }

  /// The next datagram, or what has come of a stream.
  func receive(atMost limit: Int) throws(DNSError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: limit)
    while true {
      try wait(for: POLLIN)
      let count = recv(descriptor, &buffer, limit, 0)
      if count >= 0 { return Array(buffer.prefix(count)) }
      // A port at which nobody listens says so.
      guard errno == EAGAIN || errno == EINTR else { throw .unreachable }
    }
  }

  /// That many bytes of a stream.
  func read(_ count: Int) throws(DNSError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try receive(atMost: count - bytes.count)
      guard !more.isEmpty else { throw .malformed }
      bytes += more
    }
    return bytes
  }

  private func wait(for events: Int32) throws(DNSError) {
    while true {
      let left = (deadline - .now) / .milliseconds(1)
      guard left > 0 else { throw .timeout }
      var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let count = poll(&polled, 1, Int32(left.rounded(.up)))
      if count > 0 { return }
      guard count == 0 || errno == EINTR else { throw .unreachable }
    }
  }

  private static func connect(_ descriptor: Int32, to server: DNSClient.Server) -> Int32 {
    if server.address.isIPv4 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = server.port.bigEndian
      withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: server.address.bytes) }
      return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = server.port.bigEndian
    withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: server.address.bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
  }
}
