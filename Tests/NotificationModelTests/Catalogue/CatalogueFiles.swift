import BelfryJSON
import Testing

@testable import NotificationModel

/// Catalogue files, good and bad, and who sees that they are bad.
struct SampleFile: Sendable, CustomTestStringConvertible {
  enum Expectation: Sendable {
    case good
    /// Parser and schema both object.
    case bad
    /// What one entry says of another, and templates: beyond a schema.
    case badForParser
  }

  var yaml: String
  var expectation: Expectation
  /// What the parser says begins so, after `catalogue file: `.
  var message = ""

  static let all = types + others + rules

  var testDescription: String { yaml.replacing(Self.head, with: "") }

  private static let head = """
    version: 1
    defaults:
      channels: { inApp: true, push: false, email: true }
      priority: normal
      timeToLiveDays: 14
      title: News
      body: Something happened

    """

  static func whole(_ yaml: String, _ expectation: Expectation, _ message: String = "") -> SampleFile {
    SampleFile(yaml: yaml, expectation: expectation, message: message)
  }

  /// A file with one type 900 named A, which has these fields beside code, name and category.
  static func type(_ fields: String, _ expectation: Expectation, _ message: String = "") -> SampleFile {
    let entry = fields.isEmpty ? "" : ", \(fields)"
    return SampleFile(
      yaml: head + "types:\n- { code: 900, name: A, category: X\(entry) }",
      expectation: expectation,
      message: message.isEmpty ? "" : "types[0] (A)\(message)"
    )
  }

  /// A file with these entries of a list.
  static func list(_ name: String, _ entries: String, _ expectation: Expectation, _ message: String = "") -> SampleFile
  {
    SampleFile(yaml: head + "\(name):\n\(entries)", expectation: expectation, message: message)
  }
}
