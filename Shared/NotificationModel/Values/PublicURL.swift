/// Where people reach the gateway from the internet, for links in mails: an https address, perhaps with a path, without a slash at its
/// end.
public struct PublicURL: LosslessStringConvertible, Sendable, Equatable {
  /// Nobody has said where.
  public static let none = PublicURL(checked: "")

  public static let kind =
    "https address such as https://notify.example.com, at most \(maximumLength) bytes, without query"

  /// Bytes: a header's line has room for the address and what follows it.
  public static let maximumLength = 200

  /// Empty where nobody has said.
  public let description: String

  public var isEmpty: Bool { description.isEmpty }

  /// Nil for anything else: what a mailbox cannot reach, or takes for something else, is in mails that nobody takes back. Whatever can stand
  /// in a header can be the link at a mail's end, too.
  public init?(_ text: String) {
    let bare = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard bare.utf8.count <= Self.maximumLength, bare.utf8.allSatisfy({ $0 < 0x80 }),
      bare.wholeMatch(of: #/https://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~%-]+)*/#) != nil, bare.isHTTPSLink
    else { return nil }
    description = bare
  }

  private init(checked: String) {
    description = checked
  }

  /// The address of a page below it.
  ///
  /// - Parameter path: Its parts, each without what an URL must escape.
  public func page(_ path: String...) -> String { ([description] + path).joined(separator: "/") }
}
