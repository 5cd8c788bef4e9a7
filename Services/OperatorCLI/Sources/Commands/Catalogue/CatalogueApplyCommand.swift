import ArgumentParser
import Authentication
import ConsoleCommands

/// `belfry catalogue apply`
struct CatalogueApplyCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Puts a catalogue file in force, as the next version.",
    discussion: """
      It says what changes, as `belfry catalogue diff` does, and asks first, unless --yes. If another version is applied meanwhile, \
      nothing is done. A file that is in force already makes no new version.
      """
  )

  @Argument(help: "A catalogue file (YAML, or JSON); - is standard input.", completion: .file())
  var file: String

  @Flag(help: "Only says what changes.")
  var dryRun = false

  @OptionGroup var consent: Consent

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    let proposal = try CatalogueProposal(file: file, on: console)
    try await proposal.carryOut(
      asking: "Apply \(Console.name(of: file))?",
      isDryRun: dryRun,
      consent,
      options,
      on: console
    )
  }
}
