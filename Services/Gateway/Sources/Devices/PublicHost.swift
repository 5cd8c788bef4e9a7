import Glibc

/// Whether a host may be somewhere in the internet, by its name or address alone. Where a name leads is known only to who
/// connects: that one looks again.
enum PublicHost {
  /// Names that lead into this machine or this network (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`).
  private static let ownNames: Set<Substring> = ["localhost", "local", "internal", "localdomain", "home.arpa"]

  /// - Parameter host: As a URL has it: a name, an IPv4 address, or an IPv6 address in brackets.
  static func isPublic(_ host: String) -> Bool {
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
    guard labels.count == 4, numbers.count == 4 else { return false }
    return isPublicIPv4(numbers)
  }

  /// Not this network, private, shared, this machine, link-local, for protocols, for measuring, multicast or reserved
  /// (RFC 6890).
  private static func isPublicIPv4(_ bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (100, 64...127, _), (127, _, _), (169, 254, _), (172, 16...31, _), (192, 0, 0),
      (192, 168, _),
      (198, 18...19, _), (224..., _, _):
      false
    default: true
    }
  }

  /// Of those that stand for an IPv4 address (mapped, compatible, translated, 6to4), that one counts.
  private static func isPublicIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return false }
    let bytes = withUnsafeBytes(of: address) { Array($0) }
    // Unspecified, this machine, compatible and mapped.
    if bytes.prefix(10).allSatisfy({ $0 == 0 }), [[0, 0], [255, 255]].contains(Array(bytes[10..<12])) {
      return isPublicIPv4(Array(bytes.suffix(4)))
    }
    if bytes.prefix(12) == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] {
      return isPublicIPv4(Array(bytes.suffix(4)))
    }
    if bytes.prefix(2) == [0x20, 0x02] { return isPublicIPv4(Array(bytes[2..<6])) }
    // All that was given out so far (RFC 4291, 2.4): neither unique local, nor link-local, nor multicast.
    return bytes[0] & 0xE0 == 0x20
  }
}
