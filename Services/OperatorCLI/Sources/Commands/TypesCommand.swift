import ArgumentParser
import Foundation
import NotificationModel
import Settings

/// `belfry types`
struct TypesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Lists the notification types and events of the catalogue.",
    discussion: "The built-in ones, and those of the file that BELFRY_CATALOGUE_FILE or --catalogue names."
  )

  @Option(help: ArgumentHelp("A catalogue file (YAML) that adds or replaces types and events.", valueName: "file"))
  var catalogue: String?

  @OptionGroup var stack: StackOptions

  init() {}

  func run() async throws {
    let file = try await stack.read { $0.string("catalogue.file", default: "", "Catalogue file.") }
    let catalogue = try Catalogue(file: catalogue ?? file)
    let types = catalogue.types
    let width = types.map(\.name.count).max() ?? 0
    var category = ""
    for type in types {
      if type.category != category {
        category = type.category
        print("\(category)")
      }
      let channels = Channel.allCases.filter { type.channels[$0] ?? false }.map(\.name).joined(separator: ", ")
      let code = String(type.code)
      let variables = type.template.missing(in: [:]).joined(separator: ", ")
      print(
        "  " + String(repeating: " ", count: max(0, 4 - code.count)) + code + "  "
          + type.name.padding(toLength: width, withPad: " ", startingAt: 0)
          + "  \(channels)" + (variables.isEmpty ? "" : "; data: \(variables)")
      )
    }
    print("Events, relayed to open connections")
    for event in catalogue.events {
      let arguments = event.arguments.joined(separator: ", ")
      print("  \(event.name)" + (arguments.isEmpty ? "" : "; arguments: \(arguments)"))
    }
  }
}
