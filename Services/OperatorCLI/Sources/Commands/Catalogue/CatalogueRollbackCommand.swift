import ArgumentParser
import Authentication
import ConsoleCommands

/// `belfry catalogue rollback`
struct CatalogueRollbackCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Puts an earlier version in force again, as a new version.",
    discussion: "It says what changes and asks first, unless --yes. `belfry catalogue versions` has the numbers."
  )

  @OptionGroup var version: CatalogueVersionArgument

  @Flag(help: "Only says what changes.")
  var dryRun = false

  @OptionGroup var consent: Consent

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    let number = version.number
    let proposal = CatalogueProposal(rollbackTo: number)
    try await proposal.carryOut(
      asking: "Put version \(number) in force again?",
      isDryRun: dryRun,
      consent,
      options,
      on: console
    )
  }
}

/// Which version.
struct CatalogueVersionArgument: ParsableArguments {
  @Argument(help: "The version's number; `belfry catalogue versions` has them.")
  var number: Int

  init() {}

  func validate() throws {
    if number < 1 { throw ValidationError("expected the number of a version, from 1") }
  }
}
