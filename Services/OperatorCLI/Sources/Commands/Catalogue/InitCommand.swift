import ArgumentParser
import ConsoleCommands
import Foundation

/// `belfry init`
struct InitCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes a starter catalogue for an app of your own.",
    discussion:
      "It has two types, a category, an event and a rule, with comments. A file that is there already stays as it is."
  )

  @Argument(help: "Where to write it.", completion: .file())
  var file = "catalogue.yaml"

  init() {}

  func validate() throws {
    if file.isEmpty { throw ValidationError("expected the name of a file") }
  }

  func run(on console: Console) async throws {
    do {
      try Data(StarterCatalogue.text.utf8).write(to: URL(filePath: file), options: .withoutOverwriting)
    } catch let error as CocoaError where error.code == .fileWriteFileExists {
      throw CommandFailure("\(file) is there already, and stays as it is: name another, as in `belfry init my.yaml`.")
    } catch {
      throw CommandFailure("\(file): cannot be written")
    }
    try console.say("\(file) has two types, a category, an event and a rule. Change it, and then:")
    for command in [
      "catalogue check \(CallerOptions.quoted(file))", "catalogue apply \(CallerOptions.quoted(file))",
      "send --to <user> --type OrderShipped --data order=1042 --data carrier=Post --data day=2026-12-01",
    ] {
      try console.say("  belfry \(command)")
    }
  }
}
