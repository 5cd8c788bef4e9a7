/// A path of the gateway's REST interface, with what somebody typed encoded.
public struct GatewayPath: Equatable {
  public private(set) var text: String

  /// - Parameter segments: Below `/api/v1`.
  public init(_ segments: String...) {
    text = "/api/v1" + segments.map { "/" + Self.encoded($0) }.joined()
  }

  /// The same with a parameter; as it is where there is no value.
  public func with(_ name: String, _ value: String?) -> GatewayPath {
    guard let value else { return self }
    var path = self
    path.text += "\(text.contains("?") ? "&" : "?")\(name)=\(Self.encoded(value))"
    return path
  }

  public func with(_ name: String, _ value: Int) -> GatewayPath { with(name, String(value)) }

  /// All but what RFC 3986 calls unreserved is written as bytes.
  private static func encoded(_ text: String) -> String {
    // Some would take them for steps in a path.
    if text == "." || text == ".." { return String(repeating: "%2E", count: text.count) }
    return text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
  }
}
