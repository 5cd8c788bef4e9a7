import Foundation

/// A fenced block of a document.
public struct DocumentExample: Sendable, CustomStringConvertible {
  /// Of the document, from the repository's root.
  public let path: String
  /// Of the opening fence; empty if it says none.
  public let language: String
  public let text: String
  /// Whether nothing but white space is between it and the block before.
  public let followsAnother: Bool

  public init(path: String, language: String, text: String, followsAnother: Bool) {
    (self.path, self.language, self.text, self.followsAnother) = (path, language, text, followsAnother)
  }

  public var description: String { "\(path): \(text.prefix(60))" }

  /// All of a document's, in order.
  public static func all(in path: String) throws -> [DocumentExample] {
    let document = try Repository.text(path)
    var end = document.startIndex
    return document.matches(of: #/(?ms)^```(\w*)\n(.*?)^```/#).map { match in
      let between = document[end..<match.range.lowerBound]
      let isFirst = end == document.startIndex
      end = match.range.upperBound
      return DocumentExample(
        path: path,
        language: String(match.1),
        text: String(match.2),
        followsAnother: !isFirst && between.allSatisfy(\.isWhitespace)
      )
    }
  }

  /// All of all documents, in order.
  public static func all() throws -> [DocumentExample] {
    try Repository.documents().flatMap { try all(in: $0) }
  }
}
