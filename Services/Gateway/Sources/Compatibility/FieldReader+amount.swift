import Foundation
import NotificationModel

extension FieldReader {
  /// An amount of money, with the digits it came with: a number from 0 up to a million millions; nil if absent.
  func amount(_ name: String) -> Decimal? { decimal(name, in: 0...1_000_000_000_000) }
}
