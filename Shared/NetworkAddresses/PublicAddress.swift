/// Whether an address may be somewhere in the internet (RFC 6890): what a server that follows addresses of strangers connects to.
public enum PublicAddress {
  /// - Parameter bytes: 4 of IPv4, or 16 of IPv6. Nothing else is an address.
  public static func isPublic(_ bytes: [UInt8]) -> Bool {
    switch bytes.count {
    case 4: isPublicIPv4(bytes)
    case 16: isPublicIPv6(bytes)
    default: false
    }
  }

  /// Not this network, private, shared, this machine, link-local, for protocols, for documents, for measuring, multicast or
  /// reserved.
  private static func isPublicIPv4(_ bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (100, 64...127, _), (127, _, _), (169, 254, _), (172, 16...31, _), (192, 0, 0),
      (192, 0, 2), (192, 88, 99), (192, 168, _), (198, 18...19, _), (198, 51, 100), (203, 0, 113), (224..., _, _):
      false
    default: true
    }
  }

  /// Of those that stand for an IPv4 address (mapped, compatible, translated, 6to4, Teredo), that one counts.
  private static func isPublicIPv6(_ bytes: [UInt8]) -> Bool {
    // Unspecified, this machine, compatible and mapped.
    if bytes.prefix(10).allSatisfy({ $0 == 0 }), [[0, 0], [255, 255]].contains(Array(bytes[10..<12])) {
      return isPublicIPv4(Array(bytes.suffix(4)))
    }
    if bytes.prefix(12) == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] {
      return isPublicIPv4(Array(bytes.suffix(4)))
    }
    if bytes.prefix(2) == [0x20, 0x02] { return isPublicIPv4(Array(bytes[2..<6])) }
    // The client's address stands there inverted (RFC 4380, section 4).
    if bytes.prefix(4) == [0x20, 0x01, 0, 0] { return isPublicIPv4(bytes.suffix(4).map { ~$0 }) }
    // For documents (RFC 3849, RFC 9637), for measuring (RFC 5180), and for identifiers that are no addresses (RFC 4843).
    if bytes.prefix(4) == [0x20, 0x01, 0x0D, 0xB8] || bytes.prefix(2) == [0x3F, 0xFF] && bytes[2] < 0x10 {
      return false
    }
    if bytes.prefix(6) == [0x20, 0x01, 0, 2, 0, 0] || bytes.prefix(3) == [0x20, 0x01, 0] && bytes[3] & 0xF0 == 0x10 {
      return false
    }
    // All that was given out so far (RFC 4291, 2.4): neither unique local, nor link-local, nor multicast.
    return bytes[0] & 0xE0 == 0x20
  }
}
