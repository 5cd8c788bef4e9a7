import ArgumentParser
import ConsoleCommands
import BelfryJSON

/// `belfry explain event`
struct ExplainEventCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "event",
    abstract: "Tells which of the catalogue's rules an event would set off, and why the others stay silent.",
    discussion: "Nothing is reported, and the rules remember nothing of it."
  )

  @Argument(help: "The event's name; `belfry types` lists them.")
  var name: String

  @Option(help: ArgumentHelp("What a backend would report, a JSON object.", valueName: "json"))
  var payload = "{}"

  @Option(help: ArgumentHelp("When it would be reported; now if left out.", valueName: "time"))
  var at: String?

  @Option(help: ArgumentHelp("When it happened; when it is reported if left out.", valueName: "time"))
  var occurredAt: String?

  @OptionGroup var options: ShowOptions

  init() {}

  func validate() throws {
    do throws(JSONSyntaxError) {
      if try JSONParser.parse(Array(payload.utf8)).members != nil { return }
    } catch {
      throw ValidationError("--payload: no JSON, at byte \(error.offset)")
    }
    throw ValidationError("--payload: expected a JSON object")
  }

  func run(on console: Console) async throws {
    try await options.ask(
      "POST",
      GatewayPath("admin", "explain"),
      on: console,
      { (answer: EventAnswer) in answer.lines }
    ) { write(to: &$0) }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.object("event") { writer in
        writer.field("name", name)
        writer.key("payload")
        writer.raw(payload)
        writer.optionalField("occurredAt", occurredAt)
      }
      writer.optionalField("at", at)
    }
  }
}
