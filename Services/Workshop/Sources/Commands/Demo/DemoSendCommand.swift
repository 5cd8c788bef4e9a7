import ArgumentParser
import ConsoleCommands
import BelfryJSON

/// `belfry-dev demo send`
struct DemoSendCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Sends what a button of the page sends, and shows the call.",
    discussion: "`belfry-dev demo trace` tells what came of it."
  )

  @Argument(help: "Which one; --list tells what there is.")
  var name: String?

  @Flag(help: "Lists what can be sent.")
  var list = false

  @OptionGroup var options: DemoOptions

  init() {}

  func validate() throws {
    if list == (name != nil) { throw ValidationError("say which one, or --list") }
    if let name, name.isEmpty || !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) {
      throw ValidationError("'\(name)' is no name of a send: --list tells what there is")
    }
  }

  func run(on console: Console) async throws {
    guard let name else {
      return try await options.ask("GET", "/api/development/sends", on: console) { answer in
        TextTable(
          [
            JSONColumn("name", "name"), JSONColumn("type or event") { $0["type"]?.string ?? $0["event"]?.shown ?? "-" },
            JSONColumn("what", "words"),
          ],
          of: answer["sends"]?.array ?? []
        )
        .lines
      }
    }
    try await options.ask("POST", "/api/development/sends/\(name)", on: console) { answer in
      let status = answer["status"]?.integer ?? 0
      let request = answer["requestId"]?.string
      return [answer["curl"]?.string ?? "", "", "\(status) \(answer["answer"].map(JSONWriter.text) ?? "")"]
        + (request.map { [CallerOptions.current.page("belfry-dev demo trace \($0)")] } ?? [])
    }
  }
}
