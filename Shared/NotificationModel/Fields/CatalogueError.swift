/// What is wrong with a catalogue, in words for its author.
public struct CatalogueError: Error, CustomStringConvertible {
  /// Everything that was found, each with its place: `types[3] (DinnerIsReady).digest.every: …`.
  public let problems: [String]
  /// Where they are, the outermost first: `dinner.yaml: catalogue file: `.
  private let source: String

  init(_ problem: String) {
    self.init(problems: [problem])
  }

  init(problems: [String], source: String = "") {
    self.problems = problems
    self.source = source
  }

  /// The same, told to be in `source`.
  func within(_ source: String) -> CatalogueError {
    CatalogueError(problems: problems, source: "\(source): \(self.source)")
  }

  public var description: String { source + problems.joined(separator: "; ") }
}
