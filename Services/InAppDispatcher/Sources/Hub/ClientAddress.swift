import NIOCore

/// Where a client comes from, for counting: an IPv4 address, or the /64 network of an IPv6 one, which one household has.
struct ClientAddress: Hashable, Sendable {
  private let bits: UInt64

  /// The address of a TCP connection.
  init(of remote: SocketAddress?) {
    bits = Self.bits(of: remote)
  }

  private static func bits(of address: SocketAddress?) -> UInt64 {
    guard let address, address.protocol == .inet || address.protocol == .inet6 else { return 0 }
    // The address stands at byte 4 of a sockaddr_in and at byte 8 of a sockaddr_in6.
    return address.withSockAddr { pointer, size in
      let bytes = UnsafeRawBufferPointer(start: pointer, count: size)
      if address.protocol == .inet { return number(bytes[4..<8]) }
      // A socket for both families shows IPv4 addresses as ::ffff:a.b.c.d.
      let isMapped = number(bytes[8..<16]) == 0 && number(bytes[16..<20]) == 0xFFFF
      return number(isMapped ? bytes[20..<24] : bytes[8..<16])
    }
  }

  private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
