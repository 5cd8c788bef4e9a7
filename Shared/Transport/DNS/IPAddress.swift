import Glibc

/// An address of IPv4 or IPv6, in numbers.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// 4 of IPv4, 16 of IPv6.
  public let bytes: [UInt8]

  /// Nil unless there are 4 or 16.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// As people write it, without brackets; nil of anything else.
  public init?(_ text: String) {
    guard text.utf8.count <= 45 else { return nil }
    var (v4, v6) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &v4) == 1 {
      bytes = withUnsafeBytes(of: v4) { Array($0) }
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      bytes = withUnsafeBytes(of: v6) { Array($0) }
    } else {
      return nil
    }
  }

  public var isIPv4: Bool { bytes.count == 4 }

  public var description: String {
    if isIPv4 { return bytes.map(String.init).joined(separator: ".") }
    var text = [CChar](repeating: 0, count: 46)
    guard inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The name under which the domain name system has the address's name (RFC 1035, section 3.5; RFC 3596, section 2.5).
  public var reverseName: String {
    if isIPv4 { return bytes.reversed().map(String.init).joined(separator: ".") + ".in-addr.arpa" }
    return bytes.reversed().map { "\(String($0 & 15, radix: 16)).\(String($0 >> 4, radix: 16))." }.joined() + "ip6.arpa"
  }

  /// Whether both are of one kind and their first `length` bits are the same.
  public func isIn(_ network: IPAddress, prefix length: Int) -> Bool {
    guard bytes.count == network.bytes.count, 0...bytes.count * 8 ~= length else { return false }
    let whole = length / 8
    guard bytes.prefix(whole) == network.bytes.prefix(whole) else { return false }
    let rest = length % 8
    return rest == 0 || (bytes[whole] ^ network.bytes[whole]) >> (8 - rest) == 0
  }
}
