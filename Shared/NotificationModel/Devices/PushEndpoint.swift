/// Where a browser's push service takes pushes to one subscription (RFC 8030): an `https` address without a user's name.
public struct PushEndpoint: Sendable, Equatable {
  /// As the browser gave it.
  public let url: String
  /// What is asked: the same, with ``origin`` in its one form. However hosts are written, one push service has its connections once.
  public let address: String
  /// The name or address of the host in lower case, without a dot at its end; an IPv6 address in brackets.
  public let host: String
  public let port: Int
  /// `https://host`, with the port unless it is 443: whom a signature is for (RFC 8292, section 2).
  public let origin: String

  /// In bytes.
  public static let maximumLength = 2_048
  private static let scheme = "https://"
  private static let standardPort = 443

  /// Nil for a text that is none, or whose host could be read in more ways than one.
  public init?(_ text: String) {
    guard text.hasPrefix(Self.scheme), text.utf8.count <= Self.maximumLength,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !text.contains("#"), !text.contains("\\")
    else { return nil }
    let authority = text.dropFirst(Self.scheme.count).prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@"), let (host, port) = Self.parts(of: authority) else { return nil }
    url = text
    self.host = host
    self.port = port ?? Self.standardPort
    origin = Self.scheme + host + (self.port == Self.standardPort ? "" : ":\(self.port)")
    let path = text.dropFirst(Self.scheme.count + authority.count)
    address = origin + (path.hasPrefix("/") ? "" : "/") + path
  }

  /// Host and port of a text as URLs have it; nil if it is none.
  static func parts(of authority: Substring) -> (host: String, port: Int?)? {
    let end = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
    var port: Int?
    if let end {
      let digits = authority[authority.index(after: end)...]
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
        (1...65_535).contains(number)
      else { return nil }
      port = number
    }
    var host = authority[..<(end ?? authority.endIndex)].lowercased()
    if host.hasSuffix(".") { host.removeLast() }
    guard isHost(host) else { return nil }
    return (host, port)
  }

  private static func isHost(_ text: String) -> Bool {
    if text.hasPrefix("[") {
      return text.hasSuffix("]") && text.count > 2
        && text.dropFirst().dropLast().utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"),
            UInt8(ascii: "."):
            true
          default: false
          }
        }
    }
    // Not what is escaped either: it might be unescaped later, and be another's name.
    return !text.isEmpty && !text.hasPrefix(".") && !text.contains("..")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
          UInt8(ascii: "."), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
