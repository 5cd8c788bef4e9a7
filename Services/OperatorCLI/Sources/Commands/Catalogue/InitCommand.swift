import ArgumentParser
import ConsoleCommands
import Foundation
import NotificationModel

/// `belfry init`
struct InitCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes a starter catalogue for an app of your own.",
    discussion:
      "It has two types, a category, an event and a rule, with comments. A file that is there already stays as it is. `belfry-dev run --catalogue` starts a stack with it, `belfry catalogue apply` puts it in force in one that runs."
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
    try console.say("\(file) has two types, a category, an event and a rule. Try it in a stack on this machine:")
    let name = CallerOptions.quoted(file)
    for command in ["belfry catalogue check \(name)", "belfry-dev run --catalogue \(name)"] {
      try console.say("  \(command)")
    }
    try console.say("Where Belfry runs already:")
    for command in ["belfry catalogue apply \(name)", try Self.send] { try console.say("  \(command)") }
  }

  /// A send of the starter's first type with its example.
  private static var send: String {
    get throws {
      guard let type = try Catalogue(overrides: StarterCatalogue.text).types.first else { return "belfry send --help" }
      let data = (type.example ?? [:]).sorted { $0.key < $1.key }
      let options = data.map { " --data \(CallerOptions.quoted("\($0.key)=\($0.value)"))" }.joined()
      return "belfry send --to alex --type \(type.name)\(options)"
    }
  }
}
