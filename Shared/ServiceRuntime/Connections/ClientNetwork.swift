public import NIOCore

/// Where a connection comes from, for counting: an IPv4 address, or the /64 network of an IPv6 one, which one household has.
public struct ClientNetwork: Hashable, Sendable {
  /// The 32 bits of the one or the first 64 of the other; 0 for what is neither. No global IPv6 network begins with 32 zeros.
  private let bits: UInt64

  public init(_ address: SocketAddress?) {
    guard let address, address.protocol == .inet || address.protocol == .inet6 else {
      bits = 0
      return
    }
    // The address stands at byte 4 of a sockaddr_in and at byte 8 of a sockaddr_in6.
    bits = address.withSockAddr { pointer, size in
      let bytes = UnsafeRawBufferPointer(start: pointer, count: size)
      if address.protocol == .inet { return Self.number(bytes[4..<8]) }
      // A socket for both families shows IPv4 addresses as ::ffff:a.b.c.d.
      let isMapped = Self.number(bytes[8..<16]) == 0 && Self.number(bytes[16..<20]) == 0xFFFF
      return Self.number(isMapped ? bytes[20..<24] : bytes[8..<16])
    }
  }

  private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
