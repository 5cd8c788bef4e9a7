/// What is wrong with a catalogue, in words for its author.
public struct CatalogueError: Error, CustomStringConvertible {
  /// Everything that was found, each with its place: `types[3] (DinnerIsReady).digest.every: …`.
  public let problems: [CatalogueProblem]
  /// Where they are, the outermost first: `dinner.yaml: catalogue file: `.
  private let source: String

  init(_ problem: String) {
    self.init(problems: [CatalogueProblem(path: "", message: problem)])
  }

  init(problems: [CatalogueProblem], source: String = "") {
    self.problems = problems
    self.source = source
  }

  /// The same, said to be in `source`.
  func within(_ source: String) -> CatalogueError {
    CatalogueError(problems: problems, source: "\(source): \(self.source)")
  }

  public var description: String { source + problems.map(Self.words).joined(separator: "; ") }

  /// What has no name in the file is found by its line.
  private static func words(of problem: CatalogueProblem) -> String {
    guard problem.path.isEmpty, let line = problem.line else { return problem.description }
    return "line \(line)\(problem.column.map { ", column \($0)" } ?? ""): \(problem.message)"
  }
}
