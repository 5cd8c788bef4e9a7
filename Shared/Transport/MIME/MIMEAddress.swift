/// A mailbox in a message's header.
public struct MIMEAddress: Sendable, Hashable {
  /// Shown to people; any Unicode text on one line.
  public var name: String?

  /// `local@domain` in ASCII.
  public var address: String

  public init(name: String? = nil, address: String) {
    self.name = name
    self.address = address
  }

  /// Whether an address can stand in a header and in an SMTP command: `local@domain` in ASCII, without quotes, no longer than
  /// RFC 5321, section 4.5.3.1, allows.
  public static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, 1...64 ~= parts[0].utf8.count, isDomain(String(parts[1])) else { return false }
    let special = Set("!#$%&'*+-/=?^_`{|}~.".utf8)
    return parts[0].utf8.allSatisfy { isAlphanumeric($0) || special.contains($0) } && !parts[0].hasPrefix(".")
      && !parts[0].hasSuffix(".") && !parts[0].contains("..")
  }

  /// Whether a text is a domain's name: labels of letters, digits and inner hyphens.
  public static func isDomain(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 255
      && labels.allSatisfy { label in
        1...63 ~= label.utf8.count && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
      }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
