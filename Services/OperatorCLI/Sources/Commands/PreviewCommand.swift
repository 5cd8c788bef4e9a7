import ArgumentParser
import Authentication
import ConsoleCommands
import JSON

/// `belfry preview`
struct PreviewCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Shows how a type is worded on each channel. Nothing is sent.",
    discussion: """
      By the gateway's catalogue. `belfry types` lists the types with the data that each needs; what is missing is named. Without \
      --data, the type's example is filled in. With a type that is built in:

        belfry preview AllowanceDeposit
        belfry preview AllowanceDeposit --data 'amount=$5.00' --data 'balance=$47.00' --locale de-AT
      """
  )

  @Argument(help: "A type's code or name; `belfry types` lists them.", transform: Identifier.name)
  var type: String

  @OptionGroup var data: DataOptions

  @Option(help: ArgumentHelp("The reader's language, e.g. de-AT.", valueName: "locale"))
  var locale: String?

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    try await options.ask("POST", GatewayPath("admin", "preview"), as: .admin, on: console) { answer in
      Self.lines(answer)
    } body: { writer in
      writer.object { writer in
        writer.type(type)
        // Without any, the type's example is shown.
        if !data.values.isEmpty { writer.data(data.values) }
        writer.optionalField("locale", locale)
      }
    }
  }

  private static func lines(_ answer: JSONValue) -> [String] {
    let name = "\(answer["typeName"]?.shown ?? "?") (\(answer["type"]?.shown ?? "?"))"
    let channels = (answer["channels"]?.members ?? []).flatMap { channel in
      let body = (channel.value["body"]?.shown ?? "-").split(separator: "\n", omittingEmptySubsequences: false)
      return ["  \(channel.name): \(channel.value["title"]?.shown ?? "-")"] + body.map { $0.isEmpty ? "" : "    \($0)" }
    }
    return ["\(name), locale \(answer["locale"]?.shown ?? "?")"] + channels
  }
}
