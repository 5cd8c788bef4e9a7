import ArgumentParser
import ConsoleCommands
import Foundation
import JSON
import NotificationModel
import Settings

/// `belfry types`
struct TypesCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract:
      "Shows the catalogue: types, categories, events, rules, schedule templates and settings; checks a file of one's own.",
    discussion: """
      The built-in entries, and those of the file that BELFRY_CATALOGUE_FILE or --catalogue names.

        belfry types --check catalogue.yaml     (exit status 0, or 1 and each problem on a line of its own)
      """
  )

  @Option(
    help: ArgumentHelp("A catalogue file (YAML) that adds to or replaces the built-in entries.", valueName: "file")
  )
  var catalogue: String?

  @Option(help: ArgumentHelp("Only checks this catalogue file, together with the built-in entries.", valueName: "file"))
  var check: String?

  @Flag(help: "Prints the whole catalogue as JSON, for programs.")
  var json = false

  @OptionGroup var stack: StackOptions

  init() {}

  func validate() throws {
    if check != nil, catalogue != nil || json {
      throw ValidationError("--check goes with neither --catalogue nor --json")
    }
    if check?.isEmpty == true { throw ValidationError("--check: expected a file") }
  }

  func run(on console: Console) async throws {
    if let check {
      let result = CatalogueCheck(file: check)
      for line in result.lines { try console.say(line) }
      guard result.isGood else { throw ExitCode.failure }
      return
    }
    let file = try await stack.read { $0.string("catalogue.file", default: "", "Catalogue file.") }
    let catalogue = try Catalogue(file: catalogue ?? file)
    guard !json else {
      var writer = JSONWriter()
      catalogue.write(to: &writer)
      return try console.json(writer.bytes)
    }
    for line in CatalogueListing(catalogue).lines { try console.say(line) }
  }
}
