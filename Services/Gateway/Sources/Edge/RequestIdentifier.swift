/// What a request is called in its answer and in the log.
enum RequestIdentifier {
  static let maximumLength = 128

  /// Whether what a client calls it can be taken over: letters, digits and `-._~:/+=@`, so that no log line, header or SQL text
  /// has to be careful with it.
  static func isWellFormed(_ text: String) -> Bool {
    let bytes = text.utf8
    return !bytes.isEmpty && bytes.count <= maximumLength && bytes.allSatisfy(isSafe)
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "="),
      UInt8(ascii: "@"):
      true
    default: false
    }
  }
}
