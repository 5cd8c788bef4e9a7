import Glibc

/// Whether a host may be somewhere in the internet, by its name or address alone. Where a name leads is known only to who
/// connects: that one looks again, by ``PublicAddress``.
public enum PublicHost {
  /// Names that lead into this machine or this network (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`).
  private static let ownNames: Set<Substring> = ["localhost", "local", "internal", "localdomain", "home.arpa"]

  /// - Parameter host: As a URL has it: a name, an IPv4 address, or an IPv6 address in brackets.
  public static func isPublic(_ host: String) -> Bool {
    if host.contains(":") { return isPublicIPv6(host.filter { !"[]".contains($0) }) }
    // What is escaped is no name, and might be unescaped later.
    guard host.utf8.allSatisfy({ isOfName($0) }) else { return false }
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    let labels = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, let last = labels.last, !labels.contains("") else { return false }
    // Resolvers also take `127.1`, `0x7f.1` and `2130706433` for addresses (WHATWG URL, "ends in a number").
    if last.first.map(\.isNumber) == true { return isPublicIPv4(labels) }
    return !ownNames.contains(last) && !ownNames.contains(labels.suffix(2).joined(separator: ".")[...])
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Four decimal numbers, and nothing else.
  private static func isPublicIPv4(_ labels: [Substring]) -> Bool {
    let numbers = labels.compactMap { label in UInt8(label).flatMap { String($0) == label ? $0 : nil } }
    return labels.count == 4 && PublicAddress.isPublic(numbers)
  }

  private static func isPublicIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return false }
    return PublicAddress.isPublic(withUnsafeBytes(of: address) { Array($0) })
  }
}
