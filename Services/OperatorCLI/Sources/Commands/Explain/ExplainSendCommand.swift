import ArgumentParser
import ConsoleCommands
import BelfryJSON

/// `belfry explain send`
struct ExplainSendCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Tells what would become of a notification to somebody. Nothing is sent.",
    discussion: """
      Settings, devices and addresses are those of now, also where --at asks about another time. What somebody has on the \
      screen counts only without --at.
      """
  )

  @OptionGroup var recipient: RecipientArgument

  @Argument(help: "A type's code or name; `belfry types` lists them.")
  var type: String

  @Option(help: ArgumentHelp("The moment, e.g. 2026-11-22T22:30:00+01:00; now if left out.", valueName: "time"))
  var at: String?

  @OptionGroup var data: DataOptions

  @OptionGroup var about: EntityOption

  @Option(help: ArgumentHelp("Only this channel; may be repeated.", valueName: "channel"))
  var channel: [String] = []

  @Flag(help: "Also prints every rule that was asked, what it saw and what it said.")
  var trace = false

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    try await options.ask(
      "POST",
      GatewayPath("admin", "explain"),
      on: console,
      { (answer: SendAnswer) in answer.lines(withTrace: trace) }
    ) {
      write(to: &$0)
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("userId", recipient.id)
      writer.type(type)
      writer.optionalField("at", at)
      if !data.values.isEmpty { writer.data(data.values) }
      if let entity = about.entity { writer.entity(entity) }
      if !channel.isEmpty { writer.strings("channels", channel) }
    }
  }
}
