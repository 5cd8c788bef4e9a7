/// One thing wrong with one field of an input, in words for its sender.
public struct FieldError: Sendable, Equatable, Codable {
  /// Path of the field, e.g. `to.users[3]`; empty for the document itself.
  public let field: String
  public let message: String

  public init(_ field: String, _ message: String) {
    self.field = field
    self.message = message
  }
}

/// Everything that is wrong with an input.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  public let errors: [FieldError]

  public init(_ errors: [FieldError]) {
    self.errors = errors
  }

  public var description: String {
    errors.map { $0.field.isEmpty ? $0.message : "\($0.field): \($0.message)" }.joined(separator: "; ")
  }
}
