public import BelfryJSON

/// Values of a notification's data that came as JSON's numbers and booleans.
///
/// Inside, all data is texts. Which of them were literals is kept beside them, as a set of names, for whoever sends the data on as an object.
public enum DataLiteral {
  /// Whether a text is a literal that comes back from the database as it was written. A number with an exponent does not, nor does a zero
  /// below zero: `jsonb` would write `1e3` as `1000`.
  public static func isKept(_ text: String) -> Bool {
    if text == "true" || text == "false" { return true }
    var digits = text.utf8[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits.removeFirst() }
    let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.allSatisfy(isDigits), whole.count == 1 || whole.first != zero else {
      return false
    }
    return !isNegative || digits.contains { $0 != zero && $0 != UInt8(ascii: ".") }
  }

  /// A value of data as JSON: a literal, or the text that it is.
  ///
  /// - Parameter literals: Names of those that came as literals. Who says so of a text that is none is not believed.
  static func json(_ text: String, named name: String, literals: Set<String>) -> JSONValue {
    guard literals.contains(name), isKept(text) else { return .string(text) }
    return switch text {
    case "true": .boolean(true)
    case "false": .boolean(false)
    default: .number(text)
    }
  }

  private static let zero = UInt8(ascii: "0")

  private static func isDigits(_ part: Substring.UTF8View) -> Bool {
    !part.isEmpty && part.allSatisfy { (zero...UInt8(ascii: "9")).contains($0) }
  }
}

extension JSONValue {
  /// Data as an object, in order of the names.
  ///
  /// - Parameter literals: Names of the values that came as numbers or booleans; see ``DataLiteral``.
  public init(data: [String: String], literals: Set<String>) {
    self = .object(
      data.sorted { $0.key < $1.key }.map { name, text in
        JSONMember(name, DataLiteral.json(text, named: name, literals: literals))
      }
    )
  }

  /// The data that an object has, as texts, and which of them are literals.
  public var data: (texts: [String: String], literals: Set<String>) {
    var texts: [String: String] = [:]
    var literals: Set<String> = []
    for member in members ?? [] {
      switch member.value {
      case .string(let text): texts[member.name] = text
      case .number, .boolean:
        texts[member.name] = JSONWriter.text(member.value)
        literals.insert(member.name)
      // Which only a hand can have written.
      case .null, .array, .object: texts[member.name] = JSONWriter.text(member.value)
      }
    }
    return (texts, literals)
  }
}
