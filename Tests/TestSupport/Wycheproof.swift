import Foundation

/// Vectors of Wycheproof; see the README beside them, in Tests/CryptographyTests.
public enum Wycheproof {
  public enum Verdict: String, Decodable {
    case valid, invalid
    /// A library may do either.
    case acceptable
  }

  /// Bytes in hexadecimal.
  public struct Bytes: Decodable {
    public let bytes: [UInt8]

    public init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let bytes = [UInt8](hexadecimal: text) else { throw CocoaError(.coderInvalidValue) }
      self.bytes = bytes
    }
  }

  /// The lines of a file.
  public static func read<Line: Decodable>(_ name: String, as _: Line.Type = Line.self) throws -> [Line] {
    try Repository.text("Tests/CryptographyTests/Wycheproof/\(name).jsonl").split(separator: "\n")
      .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }
}
