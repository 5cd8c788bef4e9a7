/// One thing wrong with one field of a request.
public struct FieldError: Sendable, Equatable, Codable, CustomStringConvertible {
  /// Its path, such as `to.users[3]`; empty for the request itself.
  public let field: String
  /// In words, without the value.
  public let message: String

  public init(_ field: String, _ message: String) {
    self.field = field
    self.message = message
  }

  public var description: String { field.isEmpty ? message : "\(field): \(message)" }
}
