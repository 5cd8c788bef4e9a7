public import Foundation
public import BelfryJSON

extension FieldReader {
  /// A number within bounds, with the digits it came with; nil if absent.
  public func decimal(_ name: String, in bounds: ClosedRange<Decimal>) -> Decimal? {
    let expected = "a number from \(bounds.lowerBound) to \(bounds.upperBound)"
    guard let json = optional(name, JSONValue.self, expected: expected) else { return nil }
    guard let number = Decimal(exactly: json), bounds.contains(number) else {
      problem(name, "expected \(expected)")
      return nil
    }
    return number
  }
}

extension Decimal {
  /// Nil for what is no number of JSON, or too large.
  public init?(exactly json: JSONValue) {
    guard case .number(let text) = json, let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      !number.isNaN
    else { return nil }
    self = number
  }
}
