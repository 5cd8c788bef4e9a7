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
    var headings: [String] = []
    for type in types where !headings.contains(type.category) { headings.append(type.category) }
    for category in headings {
      print(category)
      for type in types where type.category == category { print(Self.line(of: type, width: width)) }
    }
    print("Events, relayed to open connections")
    for event in catalogue.events where event.isRelayed {
      let arguments = event.arguments.joined(separator: ", ")
      print("  \(event.name)" + (arguments.isEmpty ? "" : "; arguments: \(arguments)"))
    }
    print("Events for rules alone, refused as no rules run yet")
    for event in catalogue.events where !event.isRelayed { print("  \(event.name)") }
  }

  /// - Parameter width: Of the names.
  private static func line(of type: NotificationType, width: Int) -> String {
    let channels = Channel.allCases.filter { type.channels[$0] ?? false }.map(\.name).joined(separator: ", ")
    let code = String(type.code)
    let variables = type.template.missing(in: [:]).joined(separator: ", ")
    return "  " + String(repeating: " ", count: max(0, 4 - code.count)) + code + "  "
      + type.name.padding(toLength: width, withPad: " ", startingAt: 0)
      + "  \(channels)" + (variables.isEmpty ? "" : "; data: \(variables)")
  }
}
