import Embedded
import Foundation

/// One slip in the built-in catalogue file, at a place that means something: see ``CatalogueFuzzTests``.
struct CatalogueMutation: Sendable, CustomStringConvertible {
  enum Kind: String, CaseIterable, Sendable {
    case delete, double, swap, indent, outdent, doubleLine, swapLines
  }

  static let original = EmbeddedFile.at("Shared/NotificationModel/catalogue.yaml").text

  let text: String
  private let kind: Kind
  private let line: Int
  private let column: Int

  var description: String { "\(kind.rawValue) at \(line + 1):\(column + 1)" }

  /// - Parameter file: Lines of the original, and where in them a slip counts.
  init(of file: File, using generator: inout some RandomNumberGenerator) {
    kind = Kind.allCases.randomElement(using: &generator)!
    var lines = file.lines
    switch kind {
    case .delete, .double, .swap:
      let place = file.places.randomElement(using: &generator)!
      (line, column) = (place.line, place.column)
      var characters = lines[line]
      switch kind {
      case .delete: characters.remove(at: column)
      case .double: characters.insert(characters[column], at: column)
      default: if column + 1 < characters.count { characters.swapAt(column, column + 1) }
      }
      lines[line] = characters
    case .indent, .outdent:
      line = lines.indices.randomElement(using: &generator)!
      column = 0
      if kind == .indent {
        lines[line].insert(" ", at: 0)
      } else if lines[line].first == " " {
        lines[line].removeFirst()
      }
    case .doubleLine, .swapLines:
      let line = file.members.randomElement(using: &generator)!
      (self.line, column) = (line, 0)
      if kind == .doubleLine {
        lines.insert(lines[line], at: line)
      } else if file.members.contains(line + 1) {
        lines.swapAt(line, line + 1)
      }
    }
    text = lines.map { String($0) }.joined(separator: "\n")
  }

  /// The original's lines, and where a slip counts.
  struct File: Sendable {
    let lines: [[Character]]
    let places: [(line: Int, column: Int)]
    /// Lines with a member that begin no entry of a list.
    let members: [Int]

    init(_ text: String) {
      let texts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      lines = texts.map(Array.init)
      var places: [(line: Int, column: Int)] = []
      for (number, text) in texts.enumerated() where text.first(where: { $0 != " " }) != "#" {
        places += Self.columns(of: text).map { (number, $0) }
      }
      self.places = places
      members = texts.indices.filter { texts[$0].wholeMatch(of: /\ *[A-Za-z]+:.*/) != nil }
    }

    /// Of tags in texts, and outside of texts of punctuation, names of members, references and booleans.
    private static func columns(of text: String) -> Set<Int> {
      func range(_ part: Substring) -> Range<Int> {
        let start = text.distance(from: text.startIndex, to: part.startIndex)
        return start..<start + part.count
      }
      var columns: Set<Int> = []
      for match in text.matches(of: /\{\{[^{}]*\}\}/) { columns.formUnion(range(match.0)) }
      // Whether a rule can do without a value is for its author to say.
      for match in text.matches(of: /\?/) { columns.subtract(range(match.0)) }
      // Words in quotes are anybody's, and so is a remark.
      let quoted = text.matches(of: /"(?:[^"\\]|\\.)*"|\ #.*/).map { range($0.0) }
      for quotes in quoted where text[text.index(text.startIndex, offsetBy: quotes.lowerBound)] == "\"" {
        columns.formUnion([quotes.lowerBound, quotes.upperBound - 1])
      }
      // A text of several lines, and data that stands for a request's.
      let isText = text.wholeMatch(of: /\ {6}(?:\{\{|[a-z]+\|).*/) != nil
      guard !isText, !text.contains("example:") else { return columns }
      let found =
        text.matches(of: /[\[\]{},]/).map(\.0) + text.matches(of: /\ *(?:-\ )?[\s{,]?([A-Za-z]+:)(?=\s|$)/).map(\.1)
        + text.matches(of: /\b(?:category|on|absent|setting|value|previous|unless|notify): ([A-Za-z]+)/).map(\.1)
        + (text.contains("about:") ? [] : text.matches(of: /\btype: ([A-Za-z]+)/).map(\.1))
        + text.matches(of: /\b(?:true|false)\b/).map(\.0) + text.matches(of: /^\ *(-)\ /).map(\.1)
      for part in found {
        let place = range(part)
        guard !quoted.contains(where: { $0.overlaps(place) }) else { continue }
        columns.formUnion(place)
      }
      return columns
    }
  }
}
