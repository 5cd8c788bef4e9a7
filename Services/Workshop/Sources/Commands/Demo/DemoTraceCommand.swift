import ArgumentParser
import ConsoleCommands
import BelfryJSON

/// `belfry-dev demo trace`
struct DemoTraceCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Tells step by step what came of a send, or of the latest ones."
  )

  @Argument(help: "The request's id; without it, the latest sends.", transform: Identifier.uuid)
  var request: String?

  @Option(help: "At most so many sends.")
  var limit = 5

  @OptionGroup var options: DemoOptions

  init() {}

  func validate() throws {
    if !(1...TraceBook.maximumTraces).contains(limit) {
      throw ValidationError("--limit: expected 1 to \(TraceBook.maximumTraces)")
    }
  }

  func run(on console: Console) async throws {
    let path = "/api/development/traces?limit=\(limit)\(request.map { "&request=\($0)" } ?? "")"
    var isFound = true
    try await options.ask("GET", path, on: console) { answer in
      let traces = answer["traces"]?.array ?? []
      isFound = request == nil || !traces.isEmpty
      guard !traces.isEmpty else { return request == nil ? ["Nothing was sent yet."] : [] }
      return Array(traces.map(Self.lines).joined(separator: [""]))
    }
    guard isFound else {
      let list = CallerOptions.current.page("belfry-dev demo trace")
      throw CommandFailure("There is no such send among the latest. `\(list)` lists them.")
    }
  }

  static func lines(_ trace: JSONValue) -> [String] {
    let heading = [trace["label"], trace["requestId"], trace["status"]].compactMap { $0?.string }.joined(
      separator: "  "
    )
    return [heading] + TextTable(columns, of: trace["steps"]?.array ?? []).lines.dropFirst()
  }

  private static let columns = [
    JSONColumn("ms", isNumber: true) { step in
      "  \(step["atMost"]?.boolean == true ? "≤ " : "")\(step["ms"]?.shown ?? "-") ms"
    },
    JSONColumn("who") { step in DemoPerson.known.first { $0.id == step["user"]?.string }?.name ?? "" },
    JSONColumn("channel") { $0["channel"]?.shown ?? "" },
    JSONColumn("what") { step in
      let count = step["count"]?.integer ?? 1
      return (step["what"]?.shown ?? "") + (count > 1 ? " \(count)×" : "")
    },
    JSONColumn("words", "words"),
  ]
}
