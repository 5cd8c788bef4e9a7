import Foundation
import JSON
import NotificationModel

extension FieldReader {
  private static let largestAmount: Decimal = 1_000_000_000_000

  /// An amount of money, with the digits it came with: a number from 0 up to a million millions; nil if absent.
  func amount(_ name: String) -> Decimal? {
    let expected = "a number from 0 to \(Self.largestAmount)"
    guard let json = optional(name, JSONValue.self, expected: expected) else { return nil }
    guard case .number(let text) = json, let amount = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      (0...Self.largestAmount).contains(amount)
    else {
      problem(name, "expected \(expected)")
      return nil
    }
    return amount
  }
}
