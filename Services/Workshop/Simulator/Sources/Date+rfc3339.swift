import Foundation

extension Date {
  /// In UTC with milliseconds (RFC 3339).
  var rfc3339: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
}
