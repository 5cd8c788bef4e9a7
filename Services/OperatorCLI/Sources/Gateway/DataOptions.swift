import ArgumentParser

/// What the commands share that say what a type's texts need.
struct DataOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A template variable and part of the payload; may be repeated.", valueName: "name=value"))
  var data: [String] = []

  init() {}

  func validate() throws {
    for pair in data where !pair.contains("=") { throw ValidationError("--data: expected name=value, got '\(pair)'") }
  }

  /// By name; of those with one name the last.
  var values: [String: String] {
    let pairs = data.map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), String(parts[1]))
    }
    return Dictionary(pairs) { $1 }
  }
}
