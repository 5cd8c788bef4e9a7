import NIOCore

/// Where a connection comes from, for counting: an IPv4 address, or the /64 network of an IPv6 one, which one household has.
struct ClientNetwork: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ address: SocketAddress?) {
    guard let address, address.protocol == .inet || address.protocol == .inet6 else {
      bytes = []
      return
    }
    // The address stands at byte 4 of a sockaddr_in and at byte 8 of a sockaddr_in6.
    bytes = address.withSockAddr { pointer, size in
      let whole = UnsafeRawBufferPointer(start: pointer, count: size)
      if address.protocol == .inet { return Array(whole[4..<8]) }
      // A socket for both families shows IPv4 addresses as ::ffff:a.b.c.d.
      return Array(whole[8..<20].elementsEqual(Self.mapped) ? whole[20..<24] : whole[8..<16])
    }
  }

  private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
}
