import Foundation
import Hummingbird
import NotificationModel
import UserIdentity
import WallClock

/// Reads query parameters and gathers what is wrong with them.
struct QueryParameters {
  private let request: Request
  private(set) var errors: [FieldError] = []

  init(_ request: Request) {
    self.request = request
  }

  mutating func integer(_ name: String, default fallback: Int, in range: ClosedRange<Int>) -> Int {
    guard let text = text(name) else { return fallback }
    guard let value = Int(text), range.contains(value) else {
      errors.append(FieldError(name, "expected an integer from \(range.lowerBound) to \(range.upperBound)"))
      return fallback
    }
    return value
  }

  /// Like ``integer(_:default:in:)``, but not to be left out.
  mutating func requiredInteger(_ name: String, in range: ClosedRange<Int>) -> Int {
    if text(name) == nil { errors.append(FieldError(name, "is required")) }
    return integer(name, default: range.lowerBound, in: range)
  }

  mutating func boolean(_ name: String, default fallback: Bool) -> Bool {
    guard let text = text(name) else { return fallback }
    guard let value = Bool(text.lowercased()) else {
      errors.append(FieldError(name, "expected true or false"))
      return fallback
    }
    return value
  }

  mutating func identifier<Subject>(_ name: String) -> Identifier<Subject>? {
    guard let text = text(name) else { return nil }
    guard let value = Identifier<Subject>(text) else {
      errors.append(FieldError(name, "expected a UUID"))
      return nil
    }
    return value
  }

  /// A user, by whatever the backend calls them.
  mutating func user(_ name: String) -> UserIdentifier? {
    guard let text = text(name) else { return nil }
    // The server has replaced escapes that are no UTF-8.
    guard !text.unicodeScalars.contains("\u{FFFD}") else {
      errors.append(FieldError(name, "is not in UTF-8"))
      return nil
    }
    guard let user = UserIdentifier(text) else {
      errors.append(FieldError(name, "expected \(UserIdentifier.expectation)"))
      return nil
    }
    return user
  }

  /// Like ``user(_:)``, but not to be left out.
  mutating func requiredUser(_ name: String) -> UserIdentifier? {
    if text(name) == nil { errors.append(FieldError(name, "is required")) }
    return user(name)
  }

  mutating func instant(_ name: String) -> Date? {
    guard let text = text(name) else { return nil }
    guard let value = Date(rfc3339: text) else {
      errors.append(FieldError(name, "expected an RFC 3339 time such as 2026-11-22T07:30:00Z"))
      return nil
    }
    return value
  }

  mutating func date(_ name: String) -> LocalDate? {
    guard let text = text(name) else { return nil }
    guard let value = LocalDate(text) else {
      errors.append(FieldError(name, "expected a date such as 2026-11-22"))
      return nil
    }
    return value
  }

  func text(_ name: String) -> String? {
    request.uri.queryParameters[Substring(name)].map(String.init)
  }

  mutating func problem(_ name: String, _ message: String) {
    errors.append(FieldError(name, message))
  }

  func validate() throws(ValidationError) {
    if !errors.isEmpty { throw ValidationError(errors) }
  }
}
