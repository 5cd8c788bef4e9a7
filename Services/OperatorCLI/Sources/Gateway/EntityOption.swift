import ArgumentParser

/// What the commands share that say what a notification is about.
struct EntityOption: ParsableArguments {
  @Option(help: ArgumentHelp("What it is about, e.g. Conversation:42.", valueName: "type:id"))
  var about: String?

  init() {}

  func validate() throws {
    if let about, !about.contains(":") { throw ValidationError("--about: expected type:id, got '\(about)'") }
  }

  /// Nil where it is about nothing.
  var entity: (type: String, id: String)? {
    about.map { about in
      let parts = about.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), String(parts[1]))
    }
  }
}
