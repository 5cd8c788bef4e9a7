import Foundation
import JSON
import Testing

/// A fenced block of a document.
struct Example: CustomTestStringConvertible {
  let path: String
  /// Of the opening fence; empty if it says none.
  let language: String
  let text: String

  var testDescription: String { "\(path): \(text.prefix(60))" }

  /// All of a document's, in order.
  static func all(in path: String) throws -> [Example] {
    try Repository.text(path).matches(of: #/(?ms)^```(\w*)\n(.*?)^```/#).map { match in
      Example(path: path, language: String(match.1), text: String(match.2))
    }
  }

  static func all(language: String) throws -> [Example] {
    try Repository.documents().flatMap { try all(in: $0) }.filter { $0.language == language }
  }

  /// The request that it shows: `PUT /path`, headers, and a body. Nil if it shows something else.
  var request: (method: String, path: String, body: String)? {
    guard let match = text.wholeMatch(of: #/(?s)(GET|PUT|POST|PATCH|DELETE) (\S+)\n(?:[\w-]+: [^\n]*\n)*(\{.*\})\n/#)
    else {
      return nil
    }
    return (String(match.1), String(match.2), String(match.3))
  }
}
