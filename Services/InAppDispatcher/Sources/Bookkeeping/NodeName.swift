/// By which name a proxy in front knows this node, and leads requests to it: 1 to 32 letters, digits, `-` and `_` of ASCII.
struct NodeName: Hashable, Sendable {
  static let maximumLength = 32

  let text: String

  /// Nil for anything else: the name stands in URLs, and before the dot of a ``ConnectionToken``.
  init?(_ text: String) {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= Self.maximumLength, bytes.allSatisfy(Self.isSafe) else { return nil }
    self.text = text
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
