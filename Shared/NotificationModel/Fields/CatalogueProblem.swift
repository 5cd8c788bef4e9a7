/// One thing wrong with a catalogue file, where it stands, in words for its author.
public struct CatalogueProblem: Sendable, Equatable, Decodable, CustomStringConvertible {
  /// `types[3] (DinnerIsReady).digest.every`; empty where the message says it all.
  public let path: String
  public let message: String
  /// From 1; nil where it is about no place of the file.
  public let line: Int?
  /// From 1, in Unicode's scalars.
  public let column: Int?

  public init(path: String, message: String, line: Int? = nil, column: Int? = nil) {
    self.path = path
    self.message = message
    self.line = line
    self.column = column
  }

  public var description: String { path.isEmpty ? message : "\(path): \(message)" }

  /// `catalogue.yaml:12:3: types[0] (Dinner).title: is required`, as editors and compilers take it.
  public func line(in file: String) -> String {
    let place = [line, column].compactMap(\.self).map { ":\($0)" }.joined()
    return "\(file)\(place): \(self)".split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension CatalogueProblem {
  /// In the order of the file; what has no place comes last.
  static func sorted(_ problems: [CatalogueProblem]) -> [CatalogueProblem] {
    problems.enumerated().sorted { first, second in
      func key(_ problem: CatalogueProblem, _ index: Int) -> (Int, Int, Int) {
        (problem.line ?? .max, problem.column ?? .max, index)
      }
      return key(first.element, first.offset) < key(second.element, second.offset)
    }.map(\.element)
  }
}
