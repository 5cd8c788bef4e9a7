import ArgumentParser
import ConsoleCommands
import BelfryJSON

/// Which part of a list.
struct PageOptions: ParsableArguments {
  @Option(help: ArgumentHelp("At most this many, up to 100.", valueName: "count"))
  var limit = 20

  @Option(help: ArgumentHelp("Where the page before ended, as it says.", valueName: "cursor"))
  var after: String?

  init() {}

  func validate() throws {
    if !(1...100).contains(limit) { throw ValidationError("--limit: expected 1 to 100") }
  }

  /// The path of this page.
  func page(of path: GatewayPath) -> GatewayPath {
    path.with("pageSize", limit).with("after", after)
  }

  /// A list's table, and how to go on.
  ///
  /// - Parameter nothing: What is said of a list without elements.
  static func lines(_ answer: JSONValue, _ name: String, _ columns: [JSONColumn], nothing: String) -> [String] {
    let elements = answer[name]?.array ?? []
    guard !elements.isEmpty else { return [nothing] }
    let lines = TextTable(columns, of: elements).lines
    guard answer["hasMore"]?.boolean == true else { return lines }
    return lines + ["There are more: --after \(answer["next"]?.shown ?? "?")"]
  }
}
