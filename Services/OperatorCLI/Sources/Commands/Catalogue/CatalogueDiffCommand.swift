import ArgumentParser
import Authentication
import ConsoleCommands

/// `belfry catalogue diff`
struct CatalogueDiffCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Says what a catalogue file would change, and for how many people. Nothing is applied."
  )

  @Argument(help: "A catalogue file (YAML, or JSON); - is standard input.", completion: .file())
  var file: String

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    let proposal = try CatalogueProposal(file: file, on: console)
    let plan = try await options.gateway.using(as: .admin) { try await proposal.plan($0, on: console) }
    try options.show(plan.answer, on: console) { CatalogueProposal.lines($0) }
  }
}
